#include "tests/sizes/target_form.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/target.h"

namespace lathe::sizes {
namespace {

// Warnings are errors everywhere; one of the compilers looks at each access and each addition.
const std::vector<std::string> kOptimised = {"-O2", "-Wall", "-Wextra", "-Werror"};
const std::vector<std::string> kChecked = {"-O0",
                                           "-Wall",
                                           "-Wextra",
                                           "-Werror",
                                           "-fsanitize=address,undefined",
                                           "-fno-sanitize-recover=all"};

driver::HostTools For(absl::string_view target, std::string cc, std::vector<std::string> flags) {
  for (absl::string_view flag : absl::StrSplit(FindTarget(target)->flags, ' ', absl::SkipEmpty())) {
    flags.emplace_back(flag);
  }
  return {std::move(cc), std::move(flags)};
}

TargetForm OfThisMachine(const std::string& name, const std::string& needs) {
  return {name, needs, {For(name, "clang", kChecked), For(name, "gcc", kOptimised)}, {}, "", false};
}

std::vector<TargetForm> MakeForms() {
  std::vector<std::string> linked = kOptimised;
  linked.emplace_back("-static");
  return {
      OfThisMachine("generic-c99", ""),
      OfThisMachine("x86-64", "/sse2"),
      OfThisMachine("x86-64-v3", "/avx2"),
      OfThisMachine("x86-64-v4", "/avx512f"),
      {"aarch64",
       "qemu-aarch64",
       {For("aarch64", "aarch64-linux-gnu-gcc", linked)},
       {"qemu-aarch64"},
       "",
       false},
      {"cortex-m4",
       "qemu-system-arm",
       {{"arm-none-eabi-gcc", kOptimised, {}}},  // the board's build has the target's flags
       {},
       "mps2-an386",
       false},
      {"cuda", "", {{"c++", {"-O1"}, {}}}, {}, "", true},
  };
}

bool Answers(const std::string& program) {
  const auto ran = RunCommand({program, "--version"});
  return ran.ok() && ran->exit_code == 0;
}

bool ProcessorHas(absl::string_view flag) {
  const auto text = ReadFile("/proc/cpuinfo");
  if (!text.ok()) return false;
  for (absl::string_view word : absl::StrSplit(*text, absl::ByAnyChar(" \n"))) {
    if (word == flag) return true;
  }
  return false;
}

}  // namespace

const std::vector<TargetForm>& TargetForms() {
  static const auto* const forms = new std::vector<TargetForm>(MakeForms());
  return *forms;
}

std::string WhyMissing(const TargetForm& target) {
  for (const driver::HostTools& tools : target.tools) {
    if (!Answers(tools.cc)) return absl::StrCat("no ", tools.cc);
  }
  if (target.needs.empty()) return "";
  if (target.needs[0] != '/') {
    return Answers(target.needs) ? "" : absl::StrCat("no ", target.needs);
  }
  const absl::string_view flag = absl::string_view(target.needs).substr(1);
  return ProcessorHas(flag) ? "" : absl::StrCat("this processor has no ", flag);
}

}  // namespace lathe::sizes
