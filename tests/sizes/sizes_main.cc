// lathe_sizes: sweeps the sizes of each operator over extremes: zero, one, and around vectors,
// tiles and thread blocks.
//
//   lathe_sizes [--count 0] [--from 0] [--only TEXT] [--batch 24] [--problems 10] [--folder DIR]
//               [--list]
//
// Each case is a program with little more than a call of one operator (tests/random), its sizes
// fixed, open or bounded, compiled for one target, built with warnings as errors, run, and compared
// with the interpreter; where that fails, the program has to end with a status. With --count, so
// many cases, which begin with one of each operator; without, all. --only takes those whose name
// has a text in it. A problem is printed with its case; the exit code is 1 then, and when an
// operator has no case that was compiled.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ops/ops.h"
#include "generator/target/board.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"
#include "tests/compiled/batch.h"
#include "tests/compiled/cuda_batch.h"
#include "tests/compiled/refusals.h"
#include "tests/sizes/size_case.h"

namespace lathe::sizes {
namespace {

struct Settings {
  int64_t count = 0;  // all
  int64_t from = 0;
  int64_t batch = 24;
  int64_t problems = 10;  // how many are shown before it gives up
  std::string only;
  std::string folder = LATHE_SIZES_FOLDER;
  bool list = false;
};

// Sums in the order of vectors, and functions that are not libm's.
constexpr driver::Tolerance kTolerance = {1e-5, 1e-5, 16, 16};

// The case that is compiled: a signal says it.
char current[256];
void Crashed(int signal) {
  const char said[] = "crashed: ";
  (void)!write(1, said, sizeof said - 1);
  (void)!write(1, current, strlen(current));
  (void)!write(1, "\n", 1);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    for (const TargetForm& target : TargetForms()) {
      const std::string missing = WhyMissing(target);
      if (!missing.empty()) {
        std::printf("skipped: %s (%s)\n", target.name.c_str(), missing.c_str());
        missing_.insert(&target);
      }
    }
    const int64_t all = NumCases();
    const int64_t end =
        settings_.count == 0 ? all : std::min(all, settings_.from + settings_.count);
    for (int64_t i = settings_.from; i < end && problems_ < settings_.problems; ++i) {
      const SizeCase one = CaseAt(i);
      if (absl::StrContains(one.name, settings_.only) && !missing_.contains(one.target)) {
        Add(i, one);
      }
    }
    if (settings_.only.empty() && end - settings_.from >= NumRows()) Complete(end);
    for (const TargetForm& target : TargetForms()) Flush(target);
    refused_.Print("refused");
    for (const auto& [name, tally] : tallies_) {
      std::printf(
          "%-12s %lld cases: %lld compiled (%lld to fail), %lld no program or no value, "
          "%lld refused\n",
          name.c_str(), tally.seen, tally.compiled, tally.failing, tally.without, tally.refused);
    }
    std::printf("%lld problems\n", static_cast<long long>(problems_));
    return problems_ == 0 ? 0 : 1;
  }

 private:
  struct Tally {
    long long seen = 0, compiled = 0, failing = 0, without = 0, refused = 0;
  };
  struct Built {
    std::string text;  // the case, and its program
    compiled::CompiledProgram program;
  };

  void Add(int64_t index, const SizeCase& one) {
    const std::string name = absl::StrCat("case ", index, ": ", one.name);
    std::snprintf(current, sizeof current, "%s", name.c_str());
    if (settings_.list) std::printf("%s\n", name.c_str());
    Tally& tally = tallies_[one.target->name];
    ++tally.seen;
    ir::Context context;
    std::optional<SourceFile> source;
    auto program = WriteCase(context, one, source);
    // Sizes that the operator does not take.
    if (!program.ok()) {
      ++tally.without;
      if (settings_.list) std::printf("  %s\n", std::string(program.status().message()).c_str());
      return;
    }
    driver::GenerateOptions options;
    if (one.target->cuda) options.gpus = &gpus_;
    const Board* board =
        one.target->board.empty() ? nullptr : FindBoard(one.target->board, one.target->name);
    auto made = compiled::CompileBounded(
        context, program->module, program->sizes, RangesOf(one, *program), absl::StrCat("s", index),
        one.target->cuda ? CudaTarget() : *FindTarget(one.target->name), board, options);
    const std::string text = absl::StrCat(name, "\n", ir::PrintTvmScript(program->module, {}));
    // External functions of the tests are for hosts.
    if (board != nullptr && absl::StrContains(text, "_packed(")) {
      ++tally.without;
      return;
    }
    if (made.ok()) {
      ++tally.compiled;
      if (!made->fails.empty()) ++tally.failing;
      compiled_.insert(one.row);
      if (one.form != nullptr && one.form->unit > 0) {
        made->tolerance = driver::Tolerance{kTolerance.relative, one.form->unit};
      }
      auto& batch = batches_[one.target];
      batch.push_back({text, *std::move(made)});
      if (std::ssize(batch) == settings_.batch) Flush(*one.target);
    } else if (absl::IsUnimplemented(made.status())) {
      ++tally.refused;
      refused_.Add(made.status().message(), name);
    } else if (absl::IsOutOfRange(made.status())) {
      ++tally.without;
      if (settings_.list) std::printf("  %s\n", std::string(made.status().message()).c_str());
    } else {
      Complain(text, std::string(made.status().message()));
    }
  }

  void Flush(const TargetForm& target) {
    auto batch = std::move(batches_[&target]);
    batches_[&target].clear();
    if (batch.empty()) return;
    const auto turn = static_cast<size_t>(turns_[&target]++);
    const driver::HostTools& tools = target.tools[turn % target.tools.size()];
    std::vector<compiled::CompiledProgram> programs;
    for (Built& one : batch) programs.push_back(std::move(one.program));
    const std::vector<std::string> problems = ProblemsOf(target, tools, programs);
    for (size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].empty()) continue;
      Complain(batch[i].text, absl::StrCat(compiled::Show(tools), ": ", problems[i]));
    }
  }

  std::vector<std::string> ProblemsOf(const TargetForm& target, const driver::HostTools& tools,
                                      const std::vector<compiled::CompiledProgram>& programs) {
    if (target.cuda) {
      const compiled::BuildBatch build = [&](const auto& batch, const std::string& folder) {
        return compiled::BuildOnEmulation(batch, tools, folder);
      };
      return compiled::Problems(programs, build, settings_.folder, kTolerance);
    }
    if (target.board.empty()) {
      return compiled::Problems(programs, tools, settings_.folder, kTolerance, target.runner);
    }
    std::vector<std::string> problems;
    const Board* board = FindBoard(target.board, target.name);
    const driver::BoardTools with = {board, FindTarget(target.name), tools.cc, tools.cflags, {},
                                     60};
    for (const compiled::CompiledProgram& program : programs) {
      std::error_code ignored;
      std::filesystem::remove_all(settings_.folder, ignored);
      problems.push_back(OnBoard(program, with));
    }
    return problems;
  }

  std::string OnBoard(const compiled::CompiledProgram& program, const driver::BoardTools& tools) {
    const absl::Status built = driver::BuildBoardProgram(program.files, tools, settings_.folder);
    if (absl::IsResourceExhausted(built)) return "";
    if (!built.ok()) return std::string(built.message());
    const auto run = driver::RunBoardProgram(tools, settings_.folder);
    if (absl::IsResourceExhausted(run.status())) return "";
    if (!run.ok()) return compiled::RunProblem(program, run.status(), kTolerance);
    if (run->outputs[0] != run->outputs[1]) return "it reads what it has not written";
    return compiled::RunProblem(program, run->outputs[0], kTolerance);
  }

  // Operators that took none of the sizes so far get others; each has to take some, but those that
  // tests/random does not call.
  void Complete(int64_t end) {
    constexpr int64_t kTries = 16;
    for (int64_t i = end; i < std::min(NumCases(), end + kTries * NumRows()); ++i) {
      const SizeCase one = CaseAt(i);
      if (!compiled_.contains(one.row) && !missing_.contains(one.target)) Add(i, one);
    }
    for (int64_t i = 0; i < NumRows(); ++i) {
      const SizeCase one = CaseAt(i);
      if (!compiled_.contains(one.row)) Complain(one.row, ": no case was compiled");
    }
    for (const ir::Op& op : ops::AllOps()) {
      bool excepted = compiled_.contains(op.name);
      for (const random::Exception& exception : random::NotGenerated()) {
        excepted = excepted || op.name == exception.op;
      }
      if (!excepted) Complain(op.name, ": no case was compiled");
    }
  }

  void Complain(const std::string& text, const std::string& what) {
    ++problems_;
    std::printf("%s%s\n\n", text.c_str(), what.c_str());
  }

  const Settings settings_;
  const GpuChoice gpus_ = *ReadGpus("cuda:sm_80");
  std::set<const TargetForm*> missing_;
  std::map<const TargetForm*, std::vector<Built>> batches_;
  std::map<const TargetForm*, int64_t> turns_;
  std::map<std::string, Tally> tallies_;
  std::set<std::string> compiled_;
  compiled::Refusals refused_;
  int64_t problems_ = 0;
};

bool Read(int argc, char** argv, Settings& settings) {
  const std::map<std::string, int64_t*> numbers = {{"--count", &settings.count},
                                                   {"--from", &settings.from},
                                                   {"--batch", &settings.batch},
                                                   {"--problems", &settings.problems}};
  const std::map<std::string, std::string*> words = {{"--only", &settings.only},
                                                     {"--folder", &settings.folder}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--list") {
      settings.list = true;
    } else if (i + 1 < argc && numbers.contains(word)) {
      if (!absl::SimpleAtoi(argv[++i], numbers.at(word))) return false;
    } else if (i + 1 < argc && words.contains(word)) {
      *words.at(word) = argv[++i];
    } else {
      return false;
    }
  }
  return settings.batch > 0;
}

}  // namespace
}  // namespace lathe::sizes

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::sizes::Settings settings;
  if (!lathe::sizes::Read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: lathe_sizes [--count N] [--from N] [--only TEXT] [--batch N] "
                 "[--problems N] [--folder DIR] [--list]\n");
    return 2;
  }
  for (int signal : {SIGFPE, SIGSEGV, SIGABRT, SIGBUS}) {
    std::signal(signal, lathe::sizes::Crashed);
  }
  return lathe::sizes::Session(settings).Run();
}
