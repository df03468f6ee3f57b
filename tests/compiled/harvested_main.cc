// lathe_harvested: compiles programs of other authors to C, and compares their results with the
// interpreter.
//
//   lathe_harvested MANIFEST.json [--only TEXT] [--batch 25] [--cc N] [--extern FILE.c] [--list]
//                   [--folder DIR] [--cuda TARGET] [--device-only]
//
// The manifest is one of tests/conformance/harvest_tvmscript.py. Of each program that reads and
// checks, every exported function that the interpreter can evaluate on random inputs is compiled;
// Separate PrimFuncs are called by a function of their own. Batches are built by the
// compilers of lathe_compiled in turn, or by the one with that number. --list names the functions
// that are refused or have no value. With --cuda cuda:sm_90a they are compiled for GPUs and run in
// the emulation of one; with --device-only programs count alone that use names which GPUs alone
// have. The exit code is 1 when one gives something else.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/pipeline.h"
#include "generator/support/files.h"
#include "tests/compiled/batch.h"
#include "tests/compiled/callable.h"
#include "tests/compiled/cuda_batch.h"
#include "tests/compiled/refusals.h"

namespace lathe::compiled {
namespace {

struct HarvestSettings {
  std::string manifest;
  std::string only;
  std::string folder = LATHE_PROGRAMS_FOLDER;
  std::vector<std::string> externs;
  int64_t batch = 25;
  int64_t cc = -1;
  bool list = false;
  std::string cuda;  // empty: plain C
  bool device_only = false;
};

// Whether the program says what only a GPU can do.
bool NamesDevice(absl::string_view text) {
  for (absl::string_view name : {"T.ptx", "T.cuda.", "T.tvm_warp_", "T.mma_", "T.create_barriers",
                                 "T.tvm_storage_sync", "T.tvm_thread_allreduce"}) {
    if (absl::StrContains(text, name)) return true;
  }
  return false;
}

// Sums of hundreds of products that cancel: what an exp that is rounded otherwise makes of them.
constexpr driver::Tolerance kHarvestTolerance = {1e-4, 2e-5};

class Harvest {
 public:
  explicit Harvest(HarvestSettings settings) : settings_(std::move(settings)) {
    options_.max_steps = 2'000'000;
    options_.max_call_depth = 300;
    options_.max_bytes = uint64_t{1} << 28;
  }

  int Run() {
    const auto text = ReadFile(settings_.manifest);
    const auto manifest = nlohmann::json::parse(text.ok() ? *text : "", nullptr, false);
    if (manifest.is_discarded() || !manifest.contains("programs")) {
      std::fprintf(stderr, "'%s' is no manifest\n", settings_.manifest.c_str());
      return 2;
    }
    const absl::Status loaded =
        driver::LoadExternFiles(settings_.externs, "cc", settings_.folder, &options_.packed);
    if (!loaded.ok()) {
      std::fprintf(stderr, "%s\n", std::string(loaded.message()).c_str());
      return 2;
    }
    const std::filesystem::path root = std::filesystem::path(settings_.manifest).parent_path();
    for (const auto& program : manifest.at("programs")) {
      const std::string file = program.at("file");
      if (!program.at("pure").get<bool>() || !program.at("decorated").get<bool>()) continue;
      if (!absl::StrContains(file, settings_.only)) continue;
      Add((root / file).string(), std::filesystem::path(file).stem().string());
    }
    Flush();
    without_.Print("without a value");
    refused_.Print("refused");
    std::printf(
        "%lld functions of %lld programs: %lld have no value; of %lld that have one %lld "
        "compile, %lld are refused; %lld agree, %lld do not\n",
        Long(functions_), Long(programs_), Long(without_.count()),
        Long(functions_ - without_.count()), Long(compiled_), Long(refused_.count()), Long(agree_),
        Long(problems_));
    return problems_ == 0 ? 0 : 1;
  }

 private:
  static std::optional<GpuChoice> GpusOf(const std::string& target) {
    if (target.empty()) return std::nullopt;
    return *ReadGpus(target);
  }

  static long long Long(int64_t n) { return static_cast<long long>(n); }

  void Add(const std::string& path, const std::string& stem) {
    const auto text = ReadFile(path);
    if (!text.ok() || (settings_.device_only && !NamesDevice(*text))) return;
    const SourceFile file(path, *text);
    ir::Context context;
    Diagnostics diags;
    auto module = driver::LoadModule(context, file, diags);
    if (!module) return;
    ++programs_;
    for (const std::string& function : MakeCallable(context, *module)) {
      ++functions_;
      const std::string where = absl::StrCat(stem, ":", function);
      const std::string name = absl::StrCat("h", functions_);
      auto compiled =
          CompileFunction(context, Only(*module, function), function, name, options_, Generated());
      if (compiled.ok()) {
        ++compiled_;
        names_.push_back(where);
        batch_.push_back(*std::move(compiled));
        if (std::ssize(batch_) == settings_.batch) Flush();
        continue;
      }
      const std::string why(compiled.status().message());
      if (absl::IsUnimplemented(compiled.status())) {
        refused_.Add(why, where);
        if (settings_.list) std::printf("refused %s: %s\n", where.c_str(), why.c_str());
      } else if (absl::IsOutOfRange(compiled.status())) {
        without_.Add(why, where);
        if (settings_.list) std::printf("no value %s: %s\n", where.c_str(), why.c_str());
      } else {
        Complain(where, why);
      }
    }
  }

  driver::GenerateOptions Generated() const {
    driver::GenerateOptions options;
    if (gpus_) options.gpus = &*gpus_;
    return options;
  }

  std::vector<std::string> ProblemsOfBatch(const driver::HostTools& tools) const {
    if (!gpus_) return Problems(batch_, tools, settings_.folder, kHarvestTolerance);
    const BuildBatch build = [&](const std::vector<CompiledProgram>& batch,
                                 const std::string& folder) {
      return BuildOnEmulation(batch, tools, folder);
    };
    return Problems(batch_, build, settings_.folder, kHarvestTolerance);
  }

  void Flush() {
    if (batch_.empty()) return;
    const int64_t turn = settings_.cc >= 0 ? settings_.cc : turn_++;
    driver::HostTools tools = tools_[static_cast<size_t>(turn) % tools_.size()];
    tools.externs = settings_.externs;
    const std::vector<std::string> problems = ProblemsOfBatch(tools);
    for (size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].empty()) {
        ++agree_;
      } else {
        Complain(names_[i], absl::StrCat(Show(tools), ": ", problems[i]));
      }
    }
    batch_.clear();
    names_.clear();
  }

  void Complain(const std::string& where, const std::string& what) {
    ++problems_;
    std::printf("%s: %s\n", where.c_str(), what.c_str());
  }

  const HarvestSettings settings_;
  const std::optional<GpuChoice> gpus_ = GpusOf(settings_.cuda);
  // The emulation takes the calls that this compiler puts before each access.
  const std::vector<driver::HostTools> tools_ =
      gpus_ ? std::vector<driver::HostTools>{{"c++", {"-O1"}}} : InstalledTools();
  interp::Options options_;
  std::vector<CompiledProgram> batch_;
  std::vector<std::string> names_;  // of batch_
  Refusals refused_, without_;
  int64_t programs_ = 0, functions_ = 0, compiled_ = 0, agree_ = 0, problems_ = 0, turn_ = 0;
};

std::optional<HarvestSettings> Read(int argc, char** argv) {
  HarvestSettings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--list") {
      settings.list = true;
    } else if (word == "--only" && more) {
      settings.only = argv[++i];
    } else if (word == "--folder" && more) {
      settings.folder = argv[++i];
    } else if (word == "--extern" && more) {
      settings.externs.emplace_back(argv[++i]);
    } else if (word == "--device-only") {
      settings.device_only = true;
    } else if (word == "--cuda" && more) {
      settings.cuda = argv[++i];
      if (!ReadGpus(settings.cuda).ok()) return std::nullopt;
    } else if (word == "--batch" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.batch) || settings.batch < 1) return std::nullopt;
    } else if (word == "--cc" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.cc) || settings.cc < 0) return std::nullopt;
    } else if (settings.manifest.empty() && !absl::StartsWith(word, "-")) {
      settings.manifest = word;
    } else {
      return std::nullopt;
    }
  }
  if (settings.manifest.empty()) return std::nullopt;
  return settings;
}

}  // namespace
}  // namespace lathe::compiled

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  auto settings = lathe::compiled::Read(argc, argv);
  if (!settings) {
    std::fprintf(stderr,
                 "usage: lathe_harvested MANIFEST.json [--only TEXT] [--batch N] [--cc N] "
                 "[--extern FILE] [--list] [--folder DIR] [--cuda TARGET] [--device-only]\n");
    return 2;
  }
  return lathe::compiled::Harvest(*std::move(settings)).Run();
}
