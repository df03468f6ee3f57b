// lathe_compiled: generates programs, compiles them to C, and compares their results with the
// interpreter.
//
//   lathe_compiled --count 500 --seed 1 [--batch 25] [--all] [--problems 10] [--folder DIR]
//                  [--whole] [--cuda] [--gpu TARGET] [--operators] [--packed] [--moves]
//                  [--step] [--print]
//
// Program n is made of seed + n alone, as in lathe_random. Each batch is built by one of the
// compilers and flags in turn, with --all by each. With --cuda they are compiled for GPUs and run
// in the emulation of one, with --gpu cuda:sm_90a on a GPU of this machine; with --operators
// program n is a random call of operator n, modulo the number of operators;
// with --packed its inputs have elements under a byte; with --moves programs move data, and each is
// built with AddressSanitizer. Many have guards around each tensor. A problem is printed with its
// seed and the shortest program that has it, with --whole as it is; the exit code is 1 then.
// With --step they run in steps (NAME_step). --print shows each program before it is compiled.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/target/gpu.h"
#include "generator/transform/reduce/reduce_program.h"
#include "tests/compiled/batch.h"
#include "tests/compiled/cuda_batch.h"
#include "tests/compiled/refusals.h"
#include "tests/random/write_moves.h"
#include "tests/random/write_program.h"

namespace lathe::compiled {
namespace {

struct Settings {
  int64_t count = 500;
  uint64_t seed = 1;
  int64_t batch = 25;
  int64_t problems = 1;  // how many are shown before it gives up
  bool all = false;
  bool whole = false;  // what has a problem is not made shorter
  bool cuda = false;
  bool gpu = false;  // of this machine, instead of the emulation
  bool operators = false;
  bool packed = false;
  bool moves = false;
  bool print = false;  // each program before it is compiled
  bool step = false;   // a run in steps
  std::string target = "cuda:sm_80";
  std::string folder = LATHE_PROGRAMS_FOLDER;
};

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    if (tools_.empty()) return 0;  // which was said
    for (int64_t n = 0; n < settings_.count && problems_ < settings_.problems; ++n) {
      Add(settings_.seed + static_cast<uint64_t>(n));
      if (std::ssize(batch_) == settings_.batch) Flush();
    }
    Flush();
    ShowRefused();
    std::printf("%lld programs: %lld compiled, %lld refused, %lld without a value; %lld runs\n",
                static_cast<long long>(seen_), static_cast<long long>(compiled_),
                static_cast<long long>(refused_.count()), static_cast<long long>(without_),
                static_cast<long long>(runs_));
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void ShowRefused() const {
    refused_.Print("refused");
    if (seen_ > without_) {
      std::printf("%.1f %% of those that have a value compile\n",
                  100.0 * static_cast<double>(compiled_) / static_cast<double>(seen_ - without_));
    }
  }

  // Every third program in C uses two pools, of which the first is small.
  driver::GenerateOptions OptionsFor(uint64_t seed) const {
    driver::GenerateOptions options;
    options.emit.steps.parts = settings_.step;
    if (settings_.cuda) {
      options.gpus = &gpus_;
    } else if (seed % 3 == 0 && !settings_.moves) {
      options.pools = {{"fast", 512}, {"slow", int64_t{1} << 40}};
    }
    return options;
  }

  // Of programs that move data most have guards, of others half of those in one memory.
  Memory MemoryFor(uint64_t seed) const {
    const bool planned = settings_.moves ? seed % 4 == 0 : seed % 3 != 1;
    return settings_.cuda || planned ? Memory::kPlanned : Memory::kGuarded;
  }

  absl::StatusOr<random::Program> Write(ir::Context& context, uint64_t seed) const {
    if (settings_.moves) return random::WriteMovesProgram(context, seed);
    if (!settings_.operators) return random::WriteProgram(context, seed);
    const auto& rows = random::AllRows();
    const auto widths =
        settings_.packed ? random::Widths::kUnderAByte : random::Widths::kWholeBytes;
    return random::WriteOpProgram(context, rows[seed % rows.size()], seed, widths);
  }

  std::vector<std::string> ProblemsOf(const std::vector<CompiledProgram>& programs,
                                      const driver::HostTools& tools) const {
    if (!settings_.cuda) return Problems(programs, tools, settings_.folder);
    const BuildBatch build = [&](const std::vector<CompiledProgram>& batch,
                                 const std::string& folder) {
      return settings_.gpu ? BuildOnGpu(batch, tools, gpus_, folder)
                           : BuildOnEmulation(batch, tools, folder);
    };
    return Problems(programs, build, settings_.folder, settings_.gpu ? kOnGpu : kInEmulation);
  }

  void Add(uint64_t seed) {
    ++seen_;
    ir::Context context;
    auto program = Write(context, seed);
    if (!program.ok()) return Complain(seed, std::string(program.status().message()), "");
    if (settings_.print) std::printf("%s", ir::PrintTvmScript(program->module, {}).c_str());
    auto compiled = Compile(context, program->module, program->sizes, absl::StrCat("p", seed),
                            "generic-c99", OptionsFor(seed), MemoryFor(seed));
    if (compiled.ok()) {
      ++compiled_;
      seeds_.push_back(seed);
      batch_.push_back(*std::move(compiled));
    } else if (absl::IsUnimplemented(compiled.status())) {
      refused_.Add(compiled.status().message(), absl::StrCat("seed ", seed));
    } else if (absl::IsOutOfRange(compiled.status())) {
      ++without_;
    } else {
      Complain(seed, std::string(compiled.status().message()),
               ir::PrintTvmScript(program->module, {}));
    }
  }

  void Flush() {
    if (batch_.empty()) return;
    std::vector<driver::HostTools> tools = tools_;
    if (!settings_.all) tools = {tools_[static_cast<size_t>(turn_++) % tools_.size()]};
    for (const driver::HostTools& one : tools) {
      const std::vector<std::string> problems = ProblemsOf(batch_, one);
      for (size_t i = 0; i < problems.size(); ++i) {
        ++runs_;
        if (problems[i].empty()) continue;
        Shorten(seeds_[i], one, problems[i]);
        if (problems_ >= settings_.problems) break;
      }
    }
    batch_.clear();
    seeds_.clear();
  }

  // What is left of a program with a problem once all is gone that it does not need.
  void Shorten(uint64_t seed, const driver::HostTools& tools, const std::string& problem) {
    ir::Context context;
    const auto program = Write(context, seed);
    if (settings_.whole) {
      return Complain(seed, absl::StrCat(Show(tools), ": ", problem),
                      ir::PrintTvmScript(program->module, {}));
    }
    const auto found = [&](const ir::Module& m) -> std::string {
      const auto compiled = Compile(context, m, program->sizes, "shorter", "generic-c99",
                                    OptionsFor(seed), MemoryFor(seed));
      return compiled.ok() ? ProblemsOf({*compiled}, tools)[0] : "";
    };
    const auto fails = [&](const ir::Module& m) { return m.Find("main") && !found(m).empty(); };
    const ir::Module least = transform::ReduceProgram(context, program->module, {fails});
    const std::string last = found(least);
    Complain(seed, absl::StrCat(Show(tools), ": ", last.empty() ? problem : last),
             ir::PrintTvmScript(least, {}));
  }

  void Complain(uint64_t seed, const std::string& what, const std::string& text) {
    ++problems_;
    std::printf("seed %llu: %s\n%s", static_cast<unsigned long long>(seed), what.c_str(),
                text.c_str());
  }

  const Settings settings_;
  // A GPU's functions are not those of libm, by which the interpreter computes; sums have an order
  // of their own, and those of 16 bits are rounded once there, and by the program after each
  // addition.
  static constexpr driver::Tolerance kOnGpu = {1e-4, 1e-5, 16, 16};
  static constexpr driver::Tolerance kInEmulation = {1e-5, 1e-5, 16, 16};

  // The emulation takes the calls that this compiler puts before each access. A GPU rounds after
  // each operation, as the interpreter does.
  std::vector<driver::HostTools> Tools() const {
    if (settings_.gpu) return {{driver::FindNvcc(), {"-O1", "--fmad=false"}}};
    if (settings_.cuda) return {{"c++", {"-O1"}}};
    return InstalledTools(settings_.moves ? Checks::kSanitizers : Checks::kAny);
  }
  const std::vector<driver::HostTools> tools_ = Tools();
  const GpuChoice gpus_ = *ReadGpus(settings_.target);
  std::vector<CompiledProgram> batch_;
  std::vector<uint64_t> seeds_;  // of batch_
  Refusals refused_;
  int64_t seen_ = 0, compiled_ = 0, without_ = 0;
  int64_t runs_ = 0, problems_ = 0, turn_ = 0;
};

bool Read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--all") {
      settings.all = true;
    } else if (word == "--whole") {
      settings.whole = true;
    } else if (word == "--cuda") {
      settings.cuda = true;
    } else if (word == "--gpu" && more) {
      settings.cuda = settings.gpu = true;
      settings.target = argv[++i];
      if (!ReadGpus(settings.target).ok()) return false;
    } else if (word == "--operators") {
      settings.operators = true;
    } else if (word == "--folder" && more) {
      settings.folder = argv[++i];
    } else if (word == "--packed") {
      settings.packed = true;
    } else if (word == "--moves") {
      settings.moves = true;
    } else if (word == "--step") {
      settings.step = true;
    } else if (word == "--print") {
      settings.print = true;
    } else if (word == "--count" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.count)) return false;
    } else if (word == "--seed" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.seed)) return false;
    } else if (word == "--batch" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.batch) || settings.batch < 1) return false;
    } else if (word == "--problems" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.problems)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace lathe::compiled

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::compiled::Settings settings;
  if (!lathe::compiled::Read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: lathe_compiled [--count N] [--seed N] [--batch N] [--all] [--problems N] "
                 "[--folder DIR] [--whole] [--cuda] [--gpu TARGET] [--operators] [--packed] "
                 "[--moves] [--print]\n");
    return 2;
  }
  return lathe::compiled::Session(settings).Run();
}
