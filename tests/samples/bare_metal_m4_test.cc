// Follows the README of the sample: compiles with lathe, builds with make, runs in QEMU. Skipped,
// with the missing tool, if there is no compiler for it.
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/run_command.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

TEST(BareMetalM4Test, RunsInQemu) {
  for (const char* tool : {"make", "arm-none-eabi-gcc", "qemu-system-arm"}) {
    const auto there = RunCommand({tool, "--version"});
    if (!there.ok()) {
      GTEST_SKIP() << "no " << tool << "; the Debian packages: make gcc-arm-none-eabi "
                   << "libnewlib-arm-none-eabi qemu-system-arm";
    }
  }
  const ScratchDirectory scratch;
  const std::string folder = std::filesystem::current_path().string();
  const std::string sample = SourcePath("samples/bare_metal_m4");
  const LatheRun compiled =
      RunLatheOn({"compile", absl::StrCat(sample, "/bare_metal_m4.py"), "-t", "cortex-m4f", "-n",
                  "motion", "-o", absl::StrCat(folder, "/generated")});
  ASSERT_EQ(compiled.exit, 0) << compiled.err;
  // What lathe has made is newer than the model, so that make leaves it alone.
  const auto ran =
      RunCommand({"make", "-s", "-C", sample, "run", absl::StrCat("BUILD=", folder), "LATHE=false"},
                 {.seconds = 120});
  ASSERT_THAT(ran, IsOk());
  EXPECT_EQ(ran->output, "still  93%\ntilted 95%\nshaken 99%\n");
  EXPECT_EQ(ran->exit_code, 0);
}

}  // namespace
}  // namespace lathe
