// Tests `lathe validate` with inputs that do not match the function, and with programs that end
// abnormally.
#include <string>
#include <vector>

#include "generator/interp/data/npz_format.h"
#include "generator/interp/data/tensor_ops.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kModelOfInputs[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, "n"), "float32"), y: R.Tensor(("n",), "float32")) -> R.Tensor((3, "n"), "float32"):
        return R.add(x, y)
)";

void WriteInputs(std::vector<int64_t> x, std::vector<int64_t> y,
                 ir::DType dtype = ir::DType::Float(32)) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  auto first = interp::NewTensor(dtype, std::move(x), budget);
  auto second = interp::NewTensor(ir::DType::Float(32), std::move(y), budget);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  const auto bytes = interp::WriteNpz({{"x", *first}, {"y", *second}});
  ASSERT_THAT(bytes, IsOk());
  ASSERT_THAT(WriteFile("in.npz", *bytes), IsOk());
}

TEST(ValidateInputsTest, InvalidFilesAreUsageErrors) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", kModelOfInputs), IsOk());
  WriteInputs({3, 4}, {4});
  EXPECT_EQ(RunLatheWords("validate m.py --data in.npz").exit, 0);
  const auto refused = [] {
    const LatheRun run = RunLatheWords("validate m.py --data in.npz");
    EXPECT_EQ(run.exit, 2) << run.out << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  WriteInputs({2, 4}, {4});
  EXPECT_THAT(refused(), HasSubstr("what is given for 'x' of 'main' does not match"));
  WriteInputs({3, 4}, {5});
  EXPECT_THAT(refused(), HasSubstr("dimension 0 is 5, not n, which is 4"));
  WriteInputs({12}, {4});
  EXPECT_THAT(refused(), HasSubstr("it has 1 dimension, not 2"));
  WriteInputs({3, 4}, {4}, ir::DType::Int(32));
  EXPECT_THAT(refused(), HasSubstr("its dtype is int32, not float32"));
}

TEST(ValidateInputsTest, ReportsMissingInputs) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", kModelOfInputs), IsOk());
  const auto tensor =
      interp::NewTensor(ir::DType::Float(32), {4}, std::make_shared<interp::MemoryBudget>());
  ASSERT_THAT(tensor, IsOk());
  ASSERT_THAT(WriteFile("in.npz", *interp::WriteNpz({{"y", *tensor}})), IsOk());
  const LatheRun run = RunLatheWords("validate m.py --data in.npz");
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, StartsWith("lathe: error: no input for 'x'; provide it with --data "
                                  "FILE.npz that holds 'x', or use --data random:seed=1 for random "
                                  "values; "));
}

// What the interpreter is given of the file fails, what the program is given crashes.
TEST(ValidateInputsTest, CrashIsAMismatch) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return R.call_dps_packed("mine", (x,), out_sinfo=R.Tensor((3,), "float32"))
)"),
              IsOk());
  ASSERT_THAT(WriteFile("mine.c", R"(#include <stdlib.h>
#include "lathe/extern.h"
int mine(const lathe_host *host, lathe_call *call, const lathe_value *args, size_t num_args,
         lathe_value *result);
int mine(const lathe_host *host, lathe_call *call, const lathe_value *args, size_t num_args,
         lathe_value *result) {
  (void)host, (void)call, (void)args, (void)num_args, (void)result;
#ifdef CRASHES
  abort();
#endif
  return LATHE_E_FAILED;
}
const lathe_packed *lathe_packed_functions(void);
static const lathe_packed all[] = {{"mine", mine}, {NULL, NULL}};
const lathe_packed *lathe_packed_functions(void) { return all; }
)"),
              IsOk());
  const LatheRun fails = RunLatheWords("validate m.py --extern mine.c");
  EXPECT_EQ(fails.exit, 0) << fails.err;
  EXPECT_THAT(fails.out, HasSubstr("compiled: LATHE_E_FAILED\nPASS\n"));
  const LatheRun crashes = RunLatheWords("validate m.py --extern mine.c --cflags -DCRASHES");
  EXPECT_EQ(crashes.exit, 6) << crashes.out;
  EXPECT_THAT(crashes.err, HasSubstr("the compiled program ended with signal 6 (Aborted)"));
}

TEST(ValidateInputsTest, SkipsEvaluationIfTooLargeForTheBoard) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4096, 4096), "float32")) -> R.Tensor((4096, 4096), "float32"):
        y = R.matmul(x, x)
        return R.matmul(y, y)
)"),
              IsOk());
  const LatheRun run = RunLatheWords("validate m.py --on qemu:microbit");
  EXPECT_EQ(run.exit, 4);
  EXPECT_THAT(run.err, HasSubstr("the program is too large for board 'microbit': its arena takes "
                                 "67108864 bytes and its constants 0, and the board has "));
}

}  // namespace
}  // namespace lathe::driver
