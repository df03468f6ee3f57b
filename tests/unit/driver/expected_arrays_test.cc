// Tests expected outputs of --data: by name, by number, of a folder, wrong ones, and those of no
// use.
#include "generator/driver/validate/expected_arrays.h"

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "generator/interp/data/npy_format.h"
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
using ::testing::Not;

constexpr char kTwoOutputs[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        with R.dataflow():
            twice = R.add(x, x)
            squared = R.multiply(x, x)
            R.output(twice, squared)
        return (twice, squared)
)";

interp::TensorRef Floats(const std::vector<float>& values) {
  auto tensor = interp::NewTensor(ir::DType::Float(32), {static_cast<int64_t>(values.size())},
                                  std::make_shared<interp::MemoryBudget>());
  EXPECT_THAT(tensor.status(), IsOk());
  std::memcpy((*tensor)->data(), values.data(), values.size() * sizeof(float));
  return *tensor;
}

class ExpectedArraysTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_THAT(WriteFile("m.py", kTwoOutputs), IsOk()); }

  static LatheRun ValidateWith(
      const std::vector<std::pair<std::string, interp::TensorRef>>& arrays) {
    EXPECT_THAT(WriteFile("in.npz", *interp::WriteNpz(arrays)), IsOk());
    return RunLatheWords("validate m.py --data in.npz");
  }

  ScratchDirectory scratch_;
  const interp::TensorRef x_ = Floats({1, 2, -3}), twice_ = Floats({2, 4, -6}),
                          squared_ = Floats({1, 4, 9}), wrong_ = Floats({1, 4, 8});
};

TEST_F(ExpectedArraysTest, OutputsAreComparedByNameOrNumber) {
  const LatheRun good = ValidateWith({{"x", x_}, {"twice", twice_}, {"squared", squared_}});
  EXPECT_EQ(good.exit, 0) << good.out << good.err;
  EXPECT_THAT(good.err, HasSubstr("expected outputs in 'in.npz': twice, squared\n"));
  const LatheRun bad = ValidateWith({{"x", x_}, {"twice", twice_}, {"squared", wrong_}});
  EXPECT_EQ(bad.exit, 6) << bad.out << bad.err;
  EXPECT_THAT(bad.out, HasSubstr("1 of 3 differ, first at 2"));
  EXPECT_EQ(ValidateWith({{"x", x_}, {"output_1", wrong_}}).exit, 6);
  EXPECT_EQ(ValidateWith({{"x", x_}, {"output_1", squared_}}).exit, 0);
}

TEST_F(ExpectedArraysTest, TheInterpreterComputesOutputsThatAreNotGiven) {
  const LatheRun one = ValidateWith({{"x", x_}, {"squared", squared_}});
  EXPECT_EQ(one.exit, 0);
  EXPECT_THAT(one.err, HasSubstr("'in.npz': squared; the interpreter computes the others"));
  const LatheRun none = ValidateWith({{"x", x_}});
  EXPECT_EQ(none.exit, 0);
  EXPECT_THAT(none.err, Not(HasSubstr("expected outputs")));
}

TEST_F(ExpectedArraysTest, ArraysOfNoUseAreNamed) {
  const LatheRun run = ValidateWith({{"x", x_}, {"square", wrong_}, {"output_2", wrong_}});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("neither an input nor an output of 'main': square, output_2"));
}

TEST_F(ExpectedArraysTest, ShapesAndTypesMustBeThoseOfTheOutput) {
  const LatheRun run = ValidateWith({{"x", x_}, {"squared", Floats({1, 4})}});
  EXPECT_EQ(run.exit, 6);
  EXPECT_THAT(run.err, HasSubstr("output 'squared' is float32 of (3,), but 'in.npz:squared' is "
                                 "float32 of (2,)"));
}

// A program that fails as its evaluation does is not the one that computed the outputs.
TEST_F(ExpectedArraysTest, AFailureIsNoExpectedOutput) {
  ASSERT_THAT(WriteFile("m.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.match_cast(x, R.Tensor((2,), "float32"))
        return y
)"),
              IsOk());
  const LatheRun same = ValidateWith({{"x", x_}});
  EXPECT_EQ(same.exit, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("compiled: LATHE_E_"));
  const LatheRun expected = ValidateWith({{"x", x_}, {"y", Floats({1, 2})}});
  EXPECT_EQ(expected.exit, 6) << expected.out << expected.err;
  EXPECT_THAT(expected.err,
              HasSubstr("the evaluation fails, but 'in.npz:y' is an expected output: "));
}

// Results of another implementation differ more than those of the interpreter.
TEST_F(ExpectedArraysTest, TheToleranceIsThatOfTestData) {
  const interp::TensorRef near = Floats({1, 4.002F, 9});
  EXPECT_EQ(ValidateWith({{"x", x_}, {"squared", near}}).exit, 0);
  EXPECT_EQ(RunLatheWords("validate m.py --data in.npz --rtol 1e-5").exit, 6);
}

TEST_F(ExpectedArraysTest, AFolderHasAFileForEachArray) {
  std::filesystem::create_directory("data");
  const LatheRun empty = RunLatheWords("validate m.py --data data");
  EXPECT_EQ(empty.exit, 5);
  EXPECT_THAT(empty.err, HasSubstr("and no .npy files"));
  for (const auto& [name, tensor] : {std::pair("x", x_), {"squared", wrong_}}) {
    ASSERT_THAT(WriteFile(std::string("data/") + name + ".npy", interp::WriteNpy(*tensor)), IsOk());
  }
  const LatheRun bad = RunLatheWords("validate m.py --data data");
  EXPECT_EQ(bad.exit, 6) << bad.out << bad.err;
  EXPECT_THAT(bad.err, HasSubstr("expected outputs in 'data': squared"));
  ASSERT_THAT(WriteFile("data/squared.npy", interp::WriteNpy(*squared_)), IsOk());
  EXPECT_EQ(RunLatheWords("validate m.py --data data").exit, 0);
  ASSERT_THAT(WriteFile("data/squared.npy", "no array"), IsOk());
  EXPECT_EQ(RunLatheWords("validate m.py --data data").exit, 2);
}

}  // namespace
}  // namespace lathe::driver
