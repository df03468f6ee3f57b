// lathe_boards: makes up programs and sees that they give on every emulated board what the
// interpreter gives, and take the same number of instructions when they are run again.
//
//   lathe_boards --count 20 --seed 1 [--board NAME] [--folder DIR]
//
// Counts the programs that run on a board: those that are refused, give no value, or need more
// memory than a board has are made up for by others. Boards whose compiler or emulator is not
// installed are skipped, and named.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/context.h"
#include "generator/ir/print_tvmscript.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/board.h"
#include "generator/target/target.h"
#include "tests/random/check_program.h"
#include "tests/random/write_program.h"
#include "tests/support/run_lathe.h"

namespace lathe {
namespace {

struct Settings {
  int64_t count = 20;
  uint64_t seed = 1;
  std::string board;  // any
  std::string folder = LATHE_BOARDS_FOLDER;
};

bool Answers(absl::string_view program) {
  const auto ran = RunCommand({std::string(program), "--version"});
  return ran.ok() && ran->exit_code == 0;
}

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    std::filesystem::create_directories(settings_.folder);
    for (const Board& board : AllBoards()) {
      if (!settings_.board.empty() && settings_.board != board.name) continue;
      const Target& target = *FindTarget(board.target);
      if (!Answers(target.compiler) || !Answers(board.emulator)) {
        std::printf("skipped: %s (%s) needs the Debian packages %s %s\n",
                    std::string(board.name).c_str(), std::string(board.target).c_str(),
                    std::string(target.packages).c_str(), std::string(board.package).c_str());
        continue;
      }
      OnBoard(board);
    }
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void OnBoard(const Board& board) {
    std::map<int, int> codes;
    stacks_ = Stacks();
    // Few are refused; a board that refuses all of them is a problem too.
    const uint64_t most = static_cast<uint64_t>(settings_.count) * 10;
    for (uint64_t n = 0; n < most && codes[0] < settings_.count; ++n) {
      ++codes[Try(board, settings_.seed + n)];
    }
    std::printf("%-12s %-12s %3d the same; %d without a value, %d refused, %d too large\n",
                std::string(board.name).c_str(), std::string(board.target).c_str(), codes[0],
                codes[2], codes[3], codes[4]);
    if (stacks_.programs > 0) {
      std::printf(
          "  stack: %d programs within their bounds, %d without one, bound at most %.2f times "
          "what was used, %d above %.1f times and %d bytes\n",
          stacks_.programs, stacks_.without, stacks_.worst, stacks_.wide, kMostRatio,
          static_cast<int>(kSlack));
    }
    if (codes[0] < settings_.count) ++problems_;
    std::fflush(stdout);  // boards take a while, and who waits wants to see
  }

  int Try(const Board& board, uint64_t seed) {
    ir::Context context;
    const auto program = random::WriteProgram(context, seed);
    if (!program.ok()) return 2;
    const std::string path = absl::StrCat(settings_.folder, "/p", seed, ".py");
    const std::string text = ir::PrintTvmScript(program->module, {});
    // No board has the functions from outside that it calls.
    if (absl::StrContains(text, "_packed(") || absl::StrContains(text, "vm.builtin.")) return 3;
    if (!WriteFile(path, text).ok()) return 5;
    std::string data = "random:seed=1";
    for (const auto& [name, size] : random::SizesOfMain(program->module, program->sizes))
      absl::StrAppend(&data, ",", name, "=", size);
    std::vector<std::string> words = {"validate", path,
                                      "--on",     absl::StrCat("qemu:", board.name),
                                      "--target", std::string(board.target),
                                      "--data",   data};
    if (board.kind != BoardKind::kUser) words.emplace_back("--profile");
    const LatheRun run = RunLatheOn(words);
    if (run.exit == 0 && board.kind != BoardKind::kUser) NoteStack(run.out, board, seed);
    if (run.exit == 0 || run.exit == 2 || run.exit == 3 || run.exit == 4) return run.exit;
    ++problems_;
    std::printf("seed %llu on %s (%s), data %s: exit code %d\n%s%s",
                static_cast<unsigned long long>(seed), std::string(board.name).c_str(),
                std::string(board.target).c_str(), data.c_str(), run.exit, run.out.c_str(),
                run.err.c_str());
    return run.exit;
  }

  // What validate says of the stack; that no run uses more than the bound it checks itself.
  void NoteStack(const std::string& said, const Board& board, uint64_t seed) {
    int64_t used = 0, bound = 0;
    const size_t at = said.find("stack ");
    const int found =
        at == std::string::npos
            ? 0
            : std::sscanf(said.c_str() + at, "stack %" SCNd64 " B used, at most %" SCNd64, &used,
                          &bound);
    if (found == 0) {
      ++problems_;
      std::printf("seed %llu: nothing is said of the stack\n%s",
                  static_cast<unsigned long long>(seed), said.c_str());
      return;
    }
    stacks_.programs += 1;
    if (found == 1) {
      ++stacks_.without;
      std::printf("  seed %llu on %s: %s\n", static_cast<unsigned long long>(seed),
                  std::string(board.name).c_str(), Line(said, at).c_str());
      return;
    }
    const double ratio =
        static_cast<double>(bound) / static_cast<double>(std::max<int64_t>(used, 1));
    stacks_.worst = std::max(stacks_.worst, ratio);
    if (ratio > kMostRatio && bound - used > kSlack) {
      ++stacks_.wide;
      std::printf("  seed %llu on %s: %s\n", static_cast<unsigned long long>(seed),
                  std::string(board.name).c_str(), Line(said, at).c_str());
    }
  }

  static std::string Line(const std::string& text, size_t at) {
    return text.substr(at, text.find('\n', at) - at);
  }

  // A bound may be this much above what a run used: of small ones so many bytes.
  static constexpr double kMostRatio = 1.5;
  static constexpr int64_t kSlack = 64;
  struct Stacks {
    int programs = 0;
    int without = 0;  // a bound
    int wide = 0;     // above what it may be
    double worst = 0;
  };

  const Settings settings_;
  Stacks stacks_;
  int problems_ = 0;
};

int Main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    bool good = true;
    if (name == "--count") {
      good = absl::SimpleAtoi(value, &settings.count);
    } else if (name == "--seed") {
      good = absl::SimpleAtoi(value, &settings.seed);
    } else if (name == "--board") {
      settings.board = value;
    } else if (name == "--folder") {
      settings.folder = value;
    } else {
      good = false;
    }
    if (!good) {
      std::printf("cannot take '%s %s'\n", name.c_str(), value.c_str());
      return 1;
    }
  }
  return Session(settings).Run();
}

}  // namespace
}  // namespace lathe

int main(int argc, char** argv) { return lathe::Main(argc, argv); }
