// Tests that the generated header states how quantized operators are computed, and that compiled
// program and interpreter agree.
#include "generator/driver/options/numerics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/support/files.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kImports[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 5, 5), "float32")):
        with R.dataflow():
)";

constexpr char kQuantised[] = R"(
            q = R.quantize(x, R.const(0.01, "float32"), R.const(3, "int8"))
            xr = R.dequantize(q, R.const(0.01, "float32"), R.const(3, "int8"))
            w = R.dequantize(R.const([[[[9, -20], [30, 4]]], [[[5, 60], [-70, 8]]]], "int8"), R.const([0.02, 0.03], "float32"), R.const([0, 0], "int8"), axis=0)
            c = R.nn.conv2d(xr, w, padding=[1, 1, 1, 1], groups=2)
            p = R.quantize(c, R.const(0.02, "float32"), R.const(-5, "int8"))
            pr = R.dequantize(p, R.const(0.02, "float32"), R.const(-5, "int8"))
            s = R.quantize(R.sigmoid(pr), R.const(0.004, "float32"), R.const(-128, "int8"))
            y = R.dequantize(s, R.const(0.004, "float32"), R.const(-128, "int8"))
            R.output(y)
        return y
)";

// Sums of products that targets have instructions for: two rows at a time, and one.
constexpr char kProducts[] = R"(
            q = R.quantize(x, R.const(0.01, "float32"), R.const(3, "int8"))
            xr = R.dequantize(q, R.const(0.01, "float32"), R.const(3, "int8"))
            w = R.dequantize(R.const([[[[9, -20, 3], [30, 4, 5]], [[5, 60, 7], [-70, 8, 9]]], [[[9, -2, 33], [3, 44, 5]], [[55, 6, 7], [-7, 88, 9]]], [[[1, -2, 3], [3, 4, 5]], [[5, 6, 77], [-7, 8, 99]]], [[[9, 2, 3], [3, -4, 5]], [[5, -6, 7], [-7, 18, 9]]], [[[9, 12, 3], [3, 4, -5]], [[25, 6, 7], [-7, 8, -9]]]], "int8"), R.const(0.02, "float32"), R.const(0, "int8"))
            c = R.nn.conv2d(xr, w, padding=[1, 1, 0, 1])
            p = R.quantize(c, R.const(0.02, "float32"), R.const(-5, "int8"))
            pr = R.dequantize(p, R.const(0.02, "float32"), R.const(-5, "int8"))
            m = R.dequantize(R.const([[10, 2, -3, 40], [5, -60, 70, 8], [9, 100, 11, -12], [13, 14, 15, 16], [-17, 18, 19, 20]], "int8"), R.const(0.03, "float32"), R.const(0, "int8"))
            a = R.reshape(R.nn.avg_pool2d(pr, pool_size=[5, 5]), R.shape([1, 5]))
            b = R.quantize(a, R.const(0.01, "float32"), R.const(0, "int8"))
            y = R.matmul(R.dequantize(b, R.const(0.01, "float32"), R.const(0, "int8")), m)
            R.output(y)
        return y
)";

constexpr char kReal[] = R"(
            y = R.exp(x)
            R.output(y)
        return y
)";

std::string HeaderOf(const std::string& program, const std::vector<std::string>& options) {
  const ScratchDirectory scratch;
  EXPECT_THAT(WriteFile("net.py", program), IsOk());
  std::vector<std::string> words = {"compile", "net.py", "-o", "out"};
  words.insert(words.end(), options.begin(), options.end());
  const LatheRun run = RunLatheOn(words);
  EXPECT_EQ(run.exit, 0) << run.err;
  const auto header = ReadFile("out/net.h");
  return header.ok() ? *header : "";
}

TEST(NumericsTest, AreNamedInTheHeader) {
  const std::string quantised = std::string(kImports) + kQuantised;
  EXPECT_THAT(HeaderOf(quantised, {}), HasSubstr("numerics: fused: "));
  EXPECT_THAT(HeaderOf(quantised, {"--numerics", "onnx"}), HasSubstr("numerics: onnx: "));
  EXPECT_THAT(HeaderOf(std::string(kImports) + kReal, {}), Not(HasSubstr("numerics")));
}

TEST(NumericsTest, CompiledIntegersEqualTheEvaluation) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("net.py", std::string(kImports) + kQuantised), IsOk());
  for (const char* numerics : {"fused", "onnx"}) {
    const LatheRun run = RunLatheOn({"validate", "net.py", "--numerics", numerics, "--rtol", "0",
                                     "--atol", "0", "--data", "random:seed=3"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(std::string("numerics ") + numerics + ": "));
  }
}

TEST(NumericsTest, DotInstructionsComputeTheSame) {
  for (const char* target : {"generic-c99", "x86-64"}) {
    const ScratchDirectory scratch;
    ASSERT_THAT(WriteFile("net.py", std::string(kImports) + kProducts), IsOk());
    const LatheRun run =
        RunLatheOn({"validate", "net.py", "-t", target, "--rtol", "0", "--atol", "0", "--cflags",
                    "-O2 -Wall -Wextra -Wconversion -Werror", "--keep", "made"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    const auto source = ReadFile("made/model.c");
    ASSERT_THAT(source, IsOk());
    const bool has_dots = std::string(target) != "generic-c99";
    EXPECT_EQ(source->find("lathe_dots_i8_2x4(") != std::string::npos, has_dots);
    EXPECT_EQ(source->find("lathe_dots_i8_1x4(") != std::string::npos, has_dots);
  }
}

}  // namespace
}  // namespace lathe::driver
