// lathe_boards: generates programs and checks on every emulated board that they compute what the
// interpreter computes, execute the same number of instructions when they are repeated, and use no
// more stack than a tight bound. --samples adds those of samples/.
//
//   lathe_boards --count 20 --seed 1 [--board NAME] [--samples yes] [--folder DIR]
//
// Counts the programs that run on a board: those that are refused, give no value, or need more
// memory than a board has are replaced by others. Boards whose compiler or emulator is not
// installed are skipped, and named.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/context.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/board.h"
#include "generator/target/target.h"
#include "tests/boards/stack_notes.h"
#include "tests/random/check_program.h"
#include "tests/random/write_program.h"
#include "tests/support/run_lathe.h"

namespace lathe {
namespace {

struct Settings {
  int64_t count = 20;
  uint64_t seed = 1;
  std::string board;  // any
  bool samples = false;
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
    stacks_ = StackNotes(board.kind != BoardKind::kUser);
    DeepCalls(board);
    if (settings_.samples) Samples(board);
    // Few are refused; a board that refuses all of them is a problem too.
    const uint64_t most = static_cast<uint64_t>(settings_.count) * 10;
    for (uint64_t n = 0; n < most && codes[0] < settings_.count; ++n) {
      ++codes[Try(board, settings_.seed + n)];
    }
    std::printf("%-12s %-12s %3d the same; %d without a value, %d refused, %d too large\n",
                std::string(board.name).c_str(), std::string(board.target).c_str(), codes[0],
                codes[2], codes[3], codes[4]);
    if (stacks_.programs() > 0) std::printf("  stack: %s\n", stacks_.Summary().c_str());
    if (codes[0] < settings_.count) ++problems_;
    std::fflush(stdout);  // boards are slow; shows progress
  }

  void Note(const std::string& said, const std::string& program, const Board& board,
            bool deepest = false) {
    const std::string where = absl::StrCat(program, " on ", board.name, " (", board.target, ")");
    if (!stacks_.Note(said, where, deepest)) ++problems_;
  }

  // Arguments so large that these functions go as deep as they can: that far the bound is exact.
  void DeepCalls(const Board& board) {
    // avr-libc does not reduce large arguments exactly, and its depth is the same for all.
    const char* factor = board.target == "avr8" ? "1.0" : "1e30";
    for (const char* name : {"sin", "cos", "tan"}) {
      if (!settings_.samples && name != std::string("sin")) continue;
      const std::string path = absl::StrCat(settings_.folder, "/", name, ".py");
      const std::string text = absl::StrCat(
          "from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass Module:\n"
          "    @R.function\n    def main(x: R.Tensor((8,), \"float32\")):\n"
          "        return R.",
          name, "(R.multiply(x, R.const(", factor, ", \"float32\")))\n");
      if (!WriteFile(path, text).ok()) ++problems_;
      OnFile(board, path, "random:seed=1", "", true);
    }
  }

  void Samples(const Board& board) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(LATHE_SAMPLES_FOLDER)) {
      const std::filesystem::path& path = entry.path();
      if (path.extension() != ".py") continue;
      const std::string extern_file = (path.parent_path() / "sensor.c").string();
      const bool has_extern = std::filesystem::exists(extern_file);
      const std::string data = path.stem() == "recursion" ? "random:seed=1,k=2" : "random:seed=1";
      OnFile(board, path.string(), data, has_extern ? extern_file : "", false);
    }
  }

  void OnFile(const Board& board, const std::string& path, const std::string& data,
              const std::string& extern_file, bool deepest) {
    std::vector<std::string> words = {"validate", path,
                                      "--on",     absl::StrCat("qemu:", board.name),
                                      "--target", std::string(board.target),
                                      "--data",   data};
    if (!extern_file.empty()) words.insert(words.end(), {"--extern", extern_file});
    const LatheRun run = RunLatheOn(words);
    if (run.exit == 0) return Note(run.out, path, board, deepest);
    if (run.exit == 3 || run.exit == 4) return;  // a small board
    ++problems_;
    std::printf("%s on %s (%s): exit code %d\n%s%s", path.c_str(), std::string(board.name).c_str(),
                std::string(board.target).c_str(), run.exit, run.out.c_str(), run.err.c_str());
  }

  int Try(const Board& board, uint64_t seed) {
    ir::Context context;
    const auto program = random::WriteProgram(context, seed);
    if (!program.ok()) return 2;
    const std::string path = absl::StrCat(settings_.folder, "/p", seed, ".py");
    const std::string text = ir::PrintTvmScript(program->module, {});
    // No board has the external functions that it calls.
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
    if (run.exit == 0) Note(run.out, absl::StrCat("seed ", seed), board);
    if (run.exit == 0 || run.exit == 2 || run.exit == 3 || run.exit == 4) return run.exit;
    ++problems_;
    std::printf("seed %llu on %s (%s), data %s: exit code %d\n%s%s",
                static_cast<unsigned long long>(seed), std::string(board.name).c_str(),
                std::string(board.target).c_str(), data.c_str(), run.exit, run.out.c_str(),
                run.err.c_str());
    return run.exit;
  }

  const Settings settings_;
  StackNotes stacks_;
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
    } else if (name == "--samples") {
      settings.samples = value == "yes";
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
