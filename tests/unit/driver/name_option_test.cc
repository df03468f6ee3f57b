// Tests model names as prefixes of files and symbols.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

constexpr char kProgram[] =
    "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n    @R.function\n"
    "    def main(x: R.Tensor((4,), \"float32\")):\n        return R.exp(x)\n";

LatheRun Named(const std::string& name) {
  const ScratchDirectory folder;
  return RunLatheOn({"compile", "-", "-o", "out", "-n", name}, kProgram);
}

TEST(NameOptionTest, IsAsLongAsTheLimit) {
  EXPECT_EQ(Named(std::string(60, 'n')).exit, 0);
  const LatheRun longer = Named(std::string(61, 'n'));
  EXPECT_EQ(longer.exit, 1);
  EXPECT_THAT(longer.err, ::testing::HasSubstr("at most 60"));
}

TEST(NameOptionTest, IsAnUnusedIdentifier) {
  for (const char* name : {"", "a b", "a\nb", "1a", "_a", "a__b", "while", "memcpy", "lathe_x",
                           "*/", "$(x)", "a#", "requires"}) {
    EXPECT_EQ(Named(name).exit, 1) << name;
  }
}

}  // namespace
}  // namespace lathe::driver
