// Tests what headers say of inputs and outputs: declarations and comments of values, and the macros
// of quantized tensors.
#include "generator/emit/c/port_view.h"

#include <string>

#include "absl/status/statusor.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Compiles the program to out/ and returns the text of its header.
absl::StatusOr<std::string> HeaderOf(const char* program) {
  const absl::Status written = WriteFile("model.py", program);
  if (!written.ok()) return written;
  const LatheRun run = RunLatheWords("compile model.py -o out -n net");
  if (run.exit != 0) return absl::InternalError(run.err);
  return ReadFile("out/net.h");
}

constexpr char kPortModel[] = R"(from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(dtype="float32"), b: R.Tensor(ndim=2), c: R.Object, d: R.Shape, t: R.Tuple(R.Tensor, R.Tensor((2,), "float32"))):
        return (a, R.str("x"), t)
)";

TEST(PortViewTest, ValuesDocumentKindDtypeAndRank) {
  const ScratchDirectory here;
  const auto header = HeaderOf(kPortModel);
  ASSERT_TRUE(header.ok()) << header.status();
  for (const char* line : {"const lathe_value *a; /* a LATHE_TENSOR of float32, of any rank */",
                           "const lathe_value *b; /* a LATHE_TENSOR of any dtype, of rank 2 */",
                           "const lathe_value *c; /* a value of any kind: say what it is */",
                           "const lathe_value *d; /* a LATHE_SHAPE of any rank */",
                           "const lathe_value *t_0; /* a LATHE_TENSOR of any dtype, of any rank */",
                           "  lathe_value *a; /* a LATHE_TENSOR of float32, of any rank */",
                           "  lathe_value *out; /* a value of any kind: it says what it is */",
                           "  lathe_value *t_0; /* a LATHE_TENSOR of any dtype, of any rank */"}) {
    EXPECT_THAT(*header, HasSubstr(line));
  }
}

constexpr char kQuantizedModel[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "int8"), y: R.Tensor((4,), "uint8"), w: R.Tensor((4,), "int32"), n: R.Tensor((4,), "int8")):
        R.func_attr({"scales": [[0.5, -128], [0.25, 7], [0.125, 0], None, [0.5, 3]]})
        return R.add(x, n)
)";

TEST(PortViewTest, QuantizedTensorsHaveConversions) {
  const ScratchDirectory here;
  const auto header = HeaderOf(kQuantizedModel);
  ASSERT_TRUE(header.ok()) << header.status();
  for (const char* line :
       {"#include \"lathe/quantize.h\"", "#define NET_IN_X_SCALE 5.000000000e-01f",
        "#define NET_IN_X_ZERO_POINT (-128)",
        "LATHE_CAST(int8_t, lathe_quantize((real), NET_IN_X_SCALE, NET_IN_X_ZERO_POINT, -128, 127)",
        "LATHE_CAST(uint8_t, lathe_quantize((real), NET_IN_Y_SCALE, NET_IN_Y_ZERO_POINT, 0, 255)",
        "lathe_dequantize((element), NET_IN_Y_SCALE, NET_IN_Y_ZERO_POINT)",
        "#define NET_IN_W_ZERO_POINT 0", "NET_OUT_GV_QUANTIZE(real)"}) {
    EXPECT_THAT(*header, HasSubstr(line));
  }
  EXPECT_THAT(*header, Not(HasSubstr("NET_IN_W_QUANTIZE")));
  EXPECT_THAT(*header, Not(HasSubstr("NET_IN_N_SCALE")));
  EXPECT_TRUE(ReadFile("out/lathe/quantize.h").ok());
  ASSERT_TRUE(WriteFile("main.c", R"(#include "out/net.h"
int main(void) {
  const int8_t x = NET_IN_X_QUANTIZE(1.25f);
  const uint8_t y = NET_IN_Y_QUANTIZE(-3.0f);
  return x == -125 && y == 0 && NET_OUT_GV_DEQUANTIZE(5) == 1.0f ? 0 : 1;
}
)")
                  .ok());
  const auto built = RunCommand({"cc", "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror",
                                 "-Iout", "main.c", "-o", "main"});
  ASSERT_TRUE(built.ok());
  ASSERT_EQ(built->exit_code, 0) << built->output;
  const auto ran = RunCommand({"./main"});
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->exit_code, 0);
}

constexpr char kLabelledModel[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), "float32")):
        R.func_attr({"labels": [["axis", [-2147483648, 7, 5000000000]], ["value", ["a\"b", "c*/"]]]})
        return (R.negative(x), R.exp(x))
)";

TEST(PortViewTest, OutputsHaveLabels) {
  const ScratchDirectory here;
  const auto header = HeaderOf(kLabelledModel);
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_THAT(*header, HasSubstr("{INT64_C(-2147483648), 7, INT64_C(5000000000)} /*"));
  EXPECT_THAT(*header, HasSubstr(R"({"a\"b", "c*)"));
  EXPECT_THAT(*header, HasSubstr("_LABEL_COUNT 3u\n"));
  EXPECT_THAT(*header, Not(HasSubstr("NET_IN_X_LABEL")));
}

}  // namespace
}  // namespace lathe
