// How quantised operators are computed is said in the generated header, as the compiled program
// and the evaluation both do it.
#include "generator/driver/numerics.h"

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

constexpr char kHead[] = R"(from tvm.script import ir as I, relax as R


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
  const std::string quantised = std::string(kHead) + kQuantised;
  EXPECT_THAT(HeaderOf(quantised, {}), HasSubstr("numerics: fused: "));
  EXPECT_THAT(HeaderOf(quantised, {"--numerics", "onnx"}), HasSubstr("numerics: onnx: "));
  EXPECT_THAT(HeaderOf(std::string(kHead) + kReal, {}), Not(HasSubstr("numerics")));
}

TEST(NumericsTest, CompiledIntegersAreThoseOfTheEvaluation) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("net.py", std::string(kHead) + kQuantised), IsOk());
  for (const char* numerics : {"fused", "onnx"}) {
    const LatheRun run = RunLatheOn({"validate", "net.py", "--numerics", numerics, "--rtol", "0",
                                     "--atol", "0", "--data", "random:seed=3"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(std::string("numerics ") + numerics + ": "));
  }
}

}  // namespace
}  // namespace lathe::driver
