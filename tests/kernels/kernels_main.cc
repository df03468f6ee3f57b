// lathe_kernels: compares the kernel library with the interpreter.
//
//   lathe_kernels [--all] [--only NAME] [--folder DIR]
//
// Each case is compiled for targets with vectors of several widths, those that this processor has,
// and for one with scalar tiles, whose C has nothing of its processor. Each is built with
// optimisation and with AddressSanitizer, with --all by both compilers for each target. Buffers are
// as large as they must be and no larger; those built with AddressSanitizer have guards around each
// tensor. A problem is printed with the name of its case; the exit code is 1 then.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/pipeline.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/target.h"
#include "tests/compiled/batch.h"
#include "tests/kernels/kernel_cases.h"

namespace lathe::kernels {
namespace {

struct Build {
  std::string target;
  std::string needs;  // of the processor, as /proc/cpuinfo has it; empty: plain C
  std::string cc;
  std::vector<std::string> flags;
};

// Without optimisation, with which clang takes up to forty times as long for expanded loops.
const std::vector<std::string>& Checked() {
  static const auto* flags = new std::vector<std::string>{
      "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wall", "-Wextra"};
  return *flags;
}

// The first three are what a fast test is.
std::vector<Build> AllBuilds() {
  return {{"x86-64-v4", "avx512f", "clang", Checked()},
          {"x86-64-v3", "avx2", "gcc", {"-O2", "-Wall", "-Wextra", "-Werror"}},
          {"cortex-m4f", "", "clang", Checked()},
          {"x86-64", "sse2", "gcc", {"-O2"}},
          {"cortex-m4f", "", "gcc", {"-O2", "-Wall", "-Wextra", "-Werror"}},
          {"x86-64-v4", "avx512f", "gcc", {"-O2"}},
          {"x86-64-v4", "avx512f", "clang", {"-O2"}},
          {"x86-64-v3", "avx2", "clang", Checked()},
          {"x86-64-v3", "avx2", "clang", {"-O2"}},
          {"x86-64", "sse2", "clang", Checked()},
          {"x86-64-v3", "avx2", "gcc", {"-O0"}}};
}

std::set<std::string> FlagsOfProcessor() {
  std::set<std::string> found;
  const auto text = ReadFile("/proc/cpuinfo");
  if (!text.ok()) return found;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    if (!absl::StartsWith(line, "flags")) continue;
    for (absl::string_view flag : absl::StrSplit(line, ' ')) found.insert(std::string(flag));
    break;
  }
  return found;
}

class Session {
 public:
  Session(std::string only, std::string folder)
      : only_(std::move(only)), folder_(std::move(folder)) {}

  void Run(const Build& build) {
    std::vector<compiled::CompiledProgram> programs;
    for (const KernelCase& one : KernelCases()) {
      if (!absl::StrContains(one.name, only_)) continue;
      const SourceFile file(absl::StrCat(one.name, ".py"), one.program);
      ir::Context context;
      Diagnostics diags;
      auto module = driver::LoadModule(context, file, diags);
      if (!module || diags.has_errors()) {
        Complain(one.name, build, "does not check");
        continue;
      }
      (void)driver::ApplyNumerics(context, driver::Numerics::kFused, *FindTarget(build.target),
                                  *module, diags);
      // AddressSanitizer sees what reads or writes the guards.
      const compiled::Memory memory =
          build.flags == Checked() ? compiled::Memory::kGuarded : compiled::Memory::kPlanned;
      auto program =
          compiled::Compile(context, *module, one.sizes, one.name, build.target, {}, memory);
      if (!program.ok()) {
        Complain(one.name, build, std::string(program.status().message()));
        continue;
      }
      const bool is_scalar = build.needs.empty();
      const bool tiles = absl::StrContains(program->files[1].text, "* in tiles ");
      if (is_scalar) scalar_tiles_ += tiles ? 1 : 0;
      if (!is_scalar && !one.form.empty() &&
          !absl::StrContains(program->files[1].text, absl::StrCat("* in ", one.form))) {
        Complain(one.name, build, absl::StrCat("is not in ", one.form));
      }
      if (!is_scalar && !absl::StrContains(program->files[1].text, one.calls)) {
        Complain(one.name, build, absl::StrCat("calls no ", one.calls));
      }
      programs.push_back(*std::move(program));
    }
    driver::HostTools tools{build.cc, build.flags};
    const absl::string_view of_target =
        build.needs.empty() ? absl::string_view("-std=c99") : FindTarget(build.target)->flags;
    for (absl::string_view flag : absl::StrSplit(of_target, ' ')) {
      tools.cflags.emplace_back(flag);
    }
    // Sums are rounded less often than the interpreter's.
    const auto problems = compiled::Problems(programs, tools, folder_, {1e-5, 1e-5});
    for (size_t i = 0; i < problems.size(); ++i) {
      ++runs_;
      if (!problems[i].empty()) Complain(programs[i].name, build, problems[i]);
    }
  }

  int Finish() {
    constexpr int kFewestTiles = 40;
    if (only_.empty() && scalar_tiles_ < kFewestTiles) {
      ++problems_;
      std::printf("only %d programs have tiles of scalars\n", scalar_tiles_);
    }
    std::printf("%d runs, %d problems\n", runs_, problems_);
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void Complain(const std::string& name, const Build& build, const std::string& what) {
    ++problems_;
    std::printf("%s for %s by %s %s: %s\n", name.c_str(), build.target.c_str(), build.cc.c_str(),
                absl::StrJoin(build.flags, " ").c_str(), what.c_str());
  }

  const std::string only_, folder_;
  int runs_ = 0, problems_ = 0, scalar_tiles_ = 0;
};

int Main(const std::vector<std::string>& args) {
  bool all = false;
  std::string only, folder = "kernels";
  for (size_t i = 0; i < args.size(); ++i) {
    const bool more = i + 1 < args.size();
    if (args[i] == "--all") {
      all = true;
    } else if (args[i] == "--only" && more) {
      only = args[++i];
    } else if (args[i] == "--folder" && more) {
      folder = args[++i];
    } else {
      std::fprintf(stderr, "usage: lathe_kernels [--all] [--only NAME] [--folder DIR]\n");
      return 2;
    }
  }
  const std::set<std::string> processor = FlagsOfProcessor();
  Session session(only, folder);
  std::vector<Build> builds = AllBuilds();
  if (!all) builds.resize(3);
  for (const Build& build : builds) {
    const auto version = RunCommand({build.cc, "--version"});
    if (!version.ok() || version->exit_code != 0) {
      std::printf("skipped: no %s for %s\n", build.cc.c_str(), build.target.c_str());
    } else if (!build.needs.empty() && !processor.contains(build.needs)) {
      std::printf("skipped: this processor has no %s\n", build.needs.c_str());
    } else {
      session.Run(build);
    }
  }
  return session.Finish();
}

}  // namespace
}  // namespace lathe::kernels

int main(int argc, char** argv) {
  return lathe::kernels::Main(std::vector<std::string>(argv + 1, argv + argc));
}
