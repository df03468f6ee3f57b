// Breaks each invariant of a Program, one at a time.
#include "generator/ir/verify_program.h"

#include <functional>
#include <optional>
#include <string>

#include "generator/driver/pipeline.h"
#include "generator/lower/lower.h"
#include "generator/target/target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::ir {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = R"(
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function(private=True)
    def callee(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        R.func_attr({"relax.noinline": True})
        y = R.exp(R.add(x, x))
        return y

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32")):
        n = T.int64()
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.reshape(y, (n * 3,))
            R.output(y, z)
        return (y, z)
)";

class VerifyProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    read_ = testing::ReadText(kProgram);
    ASSERT_TRUE(read_.module.has_value()) << read_.problems;
    Diagnostics diags;
    absl::StatusOr<Module> module = driver::PrepareForLowering(
        *read_.context, *std::move(read_.module), *FindTarget("generic-c99"), {}, diags);
    ASSERT_TRUE(module.ok());
    module_ = *std::move(module);
    absl::StatusOr<Program> program = lower::Lower(*read_.context, *module_, diags);
    ASSERT_TRUE(program.ok());
    program_ = *std::move(program);
  }

  // The first kernel call of the program.
  KernelStep& Call() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      for (Step& step : program_.routines[RoutineId{i}].steps) {
        if (auto* call = std::get_if<KernelStep>(&step.node)) return *call;
      }
    }
    ADD_FAILURE() << "no kernel is called";
    std::abort();
  }

  void ExpectBroken(const std::string& what) {
    const std::optional<std::string> broken = BrokenInvariant(program_);
    ASSERT_TRUE(broken.has_value()) << "nothing is reported, expected: " << what;
    EXPECT_THAT(*broken, HasSubstr(what));
  }

  testing::ReadProgram read_;
  std::optional<Module> module_;
  Program program_;
};

TEST_F(VerifyProgramTest, AcceptsALoweredProgram) {
  EXPECT_EQ(BrokenInvariant(program_), std::nullopt);
}

TEST_F(VerifyProgramTest, ReportsAKernelThatDoesNotExist) {
  Call().kernel = KernelId{1000};
  ExpectBroken("a kernel does not exist");
}

TEST_F(VerifyProgramTest, ReportsATensorThatDoesNotExist) {
  Call().tensors[0] = TensorId{1000};
  ExpectBroken("a tensor does not exist");
}

TEST_F(VerifyProgramTest, ReportsAMissingTensor) {
  Call().tensors.pop_back();
  ExpectBroken("tensors,");
}

TEST_F(VerifyProgramTest, ReportsAMissingScalar) {
  Call().scalars.push_back(read_.context->Int(1, DType::Int(64)));
  ExpectBroken("scalars,");
}

TEST_F(VerifyProgramTest, ReportsAnotherDType) {
  program_.tensors[Call().tensors[0]].dtype = DType::Int(8);
  ExpectBroken("is int8");
}

TEST_F(VerifyProgramTest, ReportsAnUndefinedScalar) {
  ASSERT_FALSE(Call().scalars.empty());
  Call().scalars[0] = read_.context->NewVar("k");
  ExpectBroken("'k' is read before its definition");
}

TEST_F(VerifyProgramTest, ReportsAConstantThatDoesNotExist) {
  program_.tensors[Call().tensors[0]].home = Home::kConstant;
  ExpectBroken("its constant does not exist");
}

TEST_F(VerifyProgramTest, ReportsAViewWithoutABase) {
  Tensor& tensor = program_.tensors[Call().tensors[0]];
  tensor.home = Home::kView;
  tensor.base = {};
  ExpectBroken("its base does not exist");
}

TEST_F(VerifyProgramTest, ReportsACycleOfViews) {
  const TensorId id = Call().tensors[0];
  program_.tensors[id].home = Home::kView;
  program_.tensors[id].base = id;
  ExpectBroken("its views form a cycle");
}

TEST_F(VerifyProgramTest, ReportsADeviceThatDoesNotExist) {
  program_.tensors[Call().tensors[0]].device = 3;
  ExpectBroken("device 3 of 0");
}

TEST_F(VerifyProgramTest, ReportsARoutineThatDoesNotExist) {
  program_.routines[RoutineId{0}].steps.push_back({CallStep{RoutineId{1000}, {}, {}, {}}, {}});
  ExpectBroken("a routine does not exist");
}

TEST_F(VerifyProgramTest, ReportsAMissingInputOfARoutine) {
  program_.routines[RoutineId{0}].steps.push_back({CallStep{RoutineId{0}, {}, {}, {}}, {}});
  ExpectBroken("inputs,");
}

}  // namespace
}  // namespace lathe::ir
