#include "tests/differential/ways.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/board.h"
#include "generator/target/target.h"

namespace lathe::differential {
namespace {

std::string Absent(absl::string_view program) {
  const auto ran = RunCommand({std::string(program), "--version"});
  return ran.ok() && ran->exit_code == 0 ? "" : std::string(program);
}

// A flag of /proc/cpuinfo.
std::string NotInProcessor(absl::string_view flag) {
  const auto text = ReadFile("/proc/cpuinfo");
  for (absl::string_view line : absl::StrSplit(text.ok() ? *text : "", '\n')) {
    for (absl::string_view word : absl::StrSplit(line, ' ')) {
      if (word == flag) return "";
    }
  }
  return absl::StrCat("a processor with ", flag);
}

Way OnBoard(absl::string_view board, absl::string_view target) {
  std::string missing = Absent(FindTarget(target)->compiler);
  if (missing.empty()) missing = Absent(FindBoard(board, target)->emulator);
  return {std::string(target),
          {"--on", absl::StrCat("qemu:", board), "-t", std::string(target)},
          missing};
}

}  // namespace

std::vector<Way> AllWays() {
  return {
      {"generic-c99", {"-t", "generic-c99"}, Absent("cc")},
      {"generic-c99 --no-fuse", {"-t", "generic-c99", "--no-fuse"}, Absent("cc")},
      {"x86-64-v3", {"-t", "x86-64-v3"}, NotInProcessor("avx2")},
      {"x86-64-v3 --no-fuse", {"-t", "x86-64-v3", "--no-fuse"}, NotInProcessor("avx2")},
      {"x86-64-v4", {"-t", "x86-64-v4"}, NotInProcessor("avx512f")},
      OnBoard("user", "aarch64"),
      OnBoard("mps2-an386", "cortex-m4"),
      {"cuda-emulation", {"--on", "cuda-emulation"}, Absent("c++")},
      {"cuda-emulation --no-fuse", {"--on", "cuda-emulation", "--no-fuse"}, Absent("c++")},
  };
}

}  // namespace lathe::differential
