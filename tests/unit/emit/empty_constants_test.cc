// Tests generated C whose only constant has no elements, with constants in each place: it compiles.
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::emit {
namespace {

TEST(EmptyConstantsTest, GeneratedCodeCompiles) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool")):
        if c:
            y = R.const([], "float32")
        else:
            y = R.zeros((0,), "float32")
        return y
)"),
              IsOk());
  for (const std::string place : {"words", "incbin", "external", "decoded"}) {
    const LatheRun run =
        RunLatheWords(absl::StrCat("compile m.py -o ", place, " --weights ", place));
    ASSERT_EQ(run.exit, 0) << run.err;
    const auto built =
        RunCommand({"cc", "-std=c99", "-Wall", "-Wextra", "-Werror", absl::StrCat("-I", place),
                    "-c", absl::StrCat(place, "/m.c"), "-o", "m.o"});
    ASSERT_THAT(built.status(), IsOk());
    EXPECT_EQ(built->exit_code, 0) << place << "\n" << built->output;
  }
}

}  // namespace
}  // namespace lathe::emit
