// Tests inputs of `run` that are tensors of ONNX test data (.pb).
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kNegates = R"(
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return R.negative(x)
)";

// A tensor of two float32 numbers, 1 and 2, with the published numbers of its fields.
std::string TwoNumbers() {
  return std::string("\x08\x02\x10\x01\x4a\x08\x00\x00\x80\x3f\x00\x00\x00\x40", 14);
}

LatheRun RunWith(const std::string& bytes) {
  const ScratchDirectory scratch;
  EXPECT_THAT(WriteFile("m.py", kNegates), IsOk());
  EXPECT_THAT(WriteFile("input_0.pb", bytes), IsOk());
  return RunLatheWords("run m.py --input x=input_0.pb");
}

TEST(TensorFileInputTest, IsTheParameter) {
  const LatheRun run = RunWith(TwoNumbers());
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[-1, -2]"));
}

// Formats without a C type are bytes in ONNX models, and packed or typed in Relax programs.
TEST(TensorFileInputTest, HasTheDTypeOfTheParameter) {
  const ScratchDirectory scratch;
  const auto run_with = [](absl::string_view dtype, absl::string_view bytes) {
    EXPECT_THAT(
        WriteFile("m.py", absl::StrCat("from tvm.script import relax as R\n\n@R.function\n"
                                       "def main(x: R.Tensor((4,), \"",
                                       dtype, "\")):\n    return R.astype(x, \"float32\")\n")),
        IsOk());
    EXPECT_THAT(WriteFile("x.pb", bytes), IsOk());
    return RunLatheWords("run m.py --input x=x.pb");
  };
  EXPECT_THAT(run_with("int4", "\x08\x04\x10\x16\x4a\x02\xe1\xc3").out,
              HasSubstr("[1, -2, 3, -4]"));
  EXPECT_THAT(run_with("float8_e4m3fn", "\x08\x04\x10\x11\x4a\x04\x38\x40\xb8\x30").out,
              HasSubstr("[1, 2, -1, 0.5]"));
  EXPECT_THAT(run_with("int8", "\x08\x04\x10\x16\x4a\x02\xe1\xc3").out,
              HasSubstr("[1, -2, 3, -4]"));
  EXPECT_NE(run_with("uint4", "\x08\x04\x10\x16\x4a\x02\xe1\xc3").exit, 0);
}

TEST(TensorFileInputTest, WrongOnesAreErrors) {
  for (const std::string& bytes :
       {std::string(), std::string("\xff\xff\xff"), TwoNumbers().substr(0, 10),
        std::string("\x08\x01\x10\x08\x32\x01\x61", 7)}) {
    const LatheRun run = RunWith(bytes);
    EXPECT_NE(run.exit, 0);
    EXPECT_THAT(run.err, HasSubstr("input_0.pb")) << run.err;
  }
}

}  // namespace
}  // namespace lathe::driver
