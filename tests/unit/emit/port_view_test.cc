// Tests the declarations and comments of value members in headers.
#include "generator/emit/c/port_view.h"

#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

constexpr char kPortModel[] = R"(from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(dtype="float32"), b: R.Tensor(ndim=2), c: R.Object, d: R.Shape, t: R.Tuple(R.Tensor, R.Tensor((2,), "float32"))):
        return (a, R.str("x"), t)
)";

TEST(PortViewTest, ValuesDocumentKindDtypeAndRank) {
  const ScratchDirectory here;
  ASSERT_TRUE(WriteFile("model.py", kPortModel).ok());
  const LatheRun run = RunLatheWords("compile model.py -o out -n net");
  ASSERT_EQ(run.exit, 0) << run.err;
  const auto header = ReadFile("out/net.h");
  ASSERT_TRUE(header.ok());
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

}  // namespace
}  // namespace lathe
