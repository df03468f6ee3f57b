// lathe_differential: generates programs and checks that they give equal results on every target,
// fused and unfused, and with a planned arena and separate buffers.
//
//   lathe_differential --count 6 --seed 1 [--way NAME] [--problems 1] [--folder DIR]
//
// Every second program moves data, the others are of all forms. `lathe validate` runs each in every
// way and compares its results with the interpreter's, with the tolerance of its target. Ways that
// need what is not installed are skipped, and named. A problem is printed with its seed and the
// shortest program that has it; the exit code is 1 then.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/context.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/support/files.h"
#include "generator/transform/reduce/reduce_program.h"
#include "tests/differential/ways.h"
#include "tests/random/check_program.h"
#include "tests/random/write_moves.h"
#include "tests/random/write_program.h"
#include "tests/support/run_lathe.h"

namespace lathe::differential {
namespace {

struct Settings {
  int64_t count = 6;
  int64_t problems = 1;
  uint64_t seed = 1;
  std::string way;  // any
  std::string folder = LATHE_DIFFERENTIAL_FOLDER;
};

constexpr int kSame = 0, kWithoutValue = 2, kRefused = 3, kTooLarge = 4;

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    std::filesystem::create_directories(settings_.folder);
    for (const Way& way : AllWays()) {
      if (!settings_.way.empty() && settings_.way != way.name) continue;
      if (way.missing.empty()) {
        ways_.push_back(way);
      } else {
        std::printf("skipped: %s needs %s\n", way.name.c_str(), way.missing.c_str());
      }
    }
    for (int64_t n = 0; n < settings_.count && problems_ < settings_.problems; ++n) {
      Try(settings_.seed + static_cast<uint64_t>(n));
    }
    int64_t same = 0;
    for (const Way& way : ways_) {
      std::map<int, int64_t>& codes = codes_[way.name];
      same += codes[kSame];
      std::printf("%-26s %4lld the same; %lld without a value, %lld refused, %lld too large\n",
                  way.name.c_str(), static_cast<long long>(codes[kSame]),
                  static_cast<long long>(codes[kWithoutValue]),
                  static_cast<long long>(codes[kRefused]),
                  static_cast<long long>(codes[kTooLarge]));
    }
    if (external_ > 0) {
      std::printf("%lld programs call external functions, which boards do not have\n",
                  static_cast<long long>(external_));
    }
    return problems_ == 0 && same > 0 ? 0 : 1;
  }

 private:
  static absl::StatusOr<random::Program> Write(ir::Context& context, uint64_t seed) {
    return seed % 2 == 0 ? random::WriteMovesProgram(context, seed)
                         : random::WriteProgram(context, seed);
  }

  LatheRun Validate(const ir::Module& module, const random::SizesByName& sizes,
                    const Way& way) const {
    const std::string path = settings_.folder + "/program.py";
    if (!WriteFile(path, ir::PrintTvmScript(module, {})).ok()) return {5, "", "cannot write"};
    std::string data = "random:seed=1";
    for (const auto& [name, size] : random::SizesOfMain(module, sizes)) {
      absl::StrAppend(&data, ",", name, "=", size);
    }
    std::vector<std::string> words = {"validate", path, "--data", data};
    words.insert(words.end(), way.words.begin(), way.words.end());
    return RunLatheOn(words);
  }

  static bool IsProblem(int exit) {
    return exit != kSame && exit != kWithoutValue && exit != kRefused && exit != kTooLarge;
  }

  void Try(uint64_t seed) {
    ir::Context context;
    const auto program = Write(context, seed);
    if (!program.ok()) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed),
                  std::string(program.status().message()).c_str());
      ++problems_;
      return;
    }
    if (absl::StrContains(ir::PrintTvmScript(program->module, {}), "_packed(")) {
      ++external_;
      return;
    }
    for (const Way& way : ways_) {
      const LatheRun run = Validate(program->module, program->sizes, way);
      ++codes_[way.name][run.exit];
      if (IsProblem(run.exit)) return Show(context, seed, *program, way);
    }
  }

  void Show(ir::Context& context, uint64_t seed, const random::Program& program, const Way& way) {
    const auto fails = [&](const ir::Module& m) {
      return m.Find("main") && IsProblem(Validate(m, program.sizes, way).exit);
    };
    const ir::Module least = transform::ReduceProgram(context, program.module, {fails});
    const LatheRun run = Validate(least, program.sizes, way);
    std::printf("seed %llu, %s: exit code %d\n%s%s%s", static_cast<unsigned long long>(seed),
                way.name.c_str(), run.exit, run.out.c_str(), run.err.c_str(),
                ir::PrintTvmScript(least, {}).c_str());
    ++problems_;
  }

  const Settings settings_;
  std::vector<Way> ways_;
  std::map<std::string, std::map<int, int64_t>> codes_;  // by way and exit code
  int64_t problems_ = 0, external_ = 0;
};

int Main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    bool good = i + 1 < argc;
    if (name == "--count") {
      good = absl::SimpleAtoi(value, &settings.count);
    } else if (name == "--seed") {
      good = absl::SimpleAtoi(value, &settings.seed);
    } else if (name == "--problems") {
      good = absl::SimpleAtoi(value, &settings.problems);
    } else if (name == "--way") {
      settings.way = value;
    } else if (name == "--folder") {
      settings.folder = value;
    } else {
      good = false;
    }
    if (!good) {
      std::fprintf(stderr,
                   "usage: lathe_differential [--count N] [--seed N] [--way NAME] [--problems N] "
                   "[--folder DIR]\n");
      return 2;
    }
  }
  return Session(settings).Run();
}

}  // namespace
}  // namespace lathe::differential

int main(int argc, char** argv) { return lathe::differential::Main(argc, argv); }
