// The assertions that kernels get for indices that depend on data: no more and no fewer than
// needed.
#include "generator/schedule/accesses/check_indices.h"

#include <iterator>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/ir/each_stmt.h"
#include "generator/target/target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A program that calls one PrimFunc, whose loops are `body`.
std::string ProgramOf(const std::string& body) {
  return R"(
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def gather(k: T.Buffer((8,), "int32"), x: T.Buffer((8,), "int32"), z: T.Buffer((8,), "int32")):
)" + body +
         R"(
    @R.function
    def main(k: R.Tensor((8,), "int32"), x: R.Tensor((8,), "int32")):
        return R.call_tir(Module.gather, (k, x), R.Tensor((8,), "int32"))
)";
}

// The conditions of the kernel's assertions, in order, of its final form.
std::vector<std::string> Conditions(const std::string& body) {
  lathe::testing::ReadProgram read = lathe::testing::ReadText(ProgramOf(body));
  if (!read.module) return {read.problems};
  ir::Context& context = *read.context;
  Diagnostics diags;
  const Target& target = *FindTarget("generic-c99");
  const auto module =
      driver::PrepareForLowering(context, *std::move(read.module), target, {}, diags);
  if (!module.ok()) return {module.status().ToString()};
  const auto model = driver::GenerateModel(context, *module, target, "model", {}, diags);
  if (!model.ok()) return {model.status().ToString()};
  std::vector<std::string> conditions;
  for (int32_t id = 0; id < std::ssize(model->program.kernels); ++id) {
    ir::ForEachStmt(model->program.kernels[ir::KernelId{id}].func.body, [&](ir::StmtRef stmt) {
      const auto* check = stmt->As<ir::AssertStmt>();
      if (check != nullptr) conditions.push_back(ir::ToString(check->cond));
    });
  }
  return conditions;
}

TEST(CheckIndicesTest, BothBoundsAreCheckedWhereNeitherIsKnown) {
  EXPECT_THAT(Conditions(R"(
        for i in range(8):
            z[i] = x[k[i]]
)"),
              ElementsAre("k[i] >= 0 and k[i] < 8"));
}

TEST(CheckIndicesTest, ABoundThatIsKnownIsNotChecked) {
  EXPECT_THAT(Conditions(R"(
        for i in range(8):
            z[i] = x[T.min(k[i], 7)]
)"),
              ElementsAre("min(k[i], 7) >= 0"));
  EXPECT_THAT(Conditions(R"(
        for i in range(8):
            z[i] = x[T.max(k[i], 0)]
)"),
              ElementsAre("max(k[i], 0) < 8"));
  EXPECT_THAT(Conditions(R"(
        for i in range(8):
            z[i] = x[T.floormod(k[i], 8)]
)"),
              IsEmpty());
}

TEST(CheckIndicesTest, AnIndexIsCheckedOnceInAStatement) {
  EXPECT_THAT(Conditions(R"(
        z[0] = x[k[0]] + x[k[0]] * x[k[1]]
)"),
              ElementsAre("k[0] >= 0 and k[0] < 8", "k[1] >= 0 and k[1] < 8"));
}

// The caller may pass one tensor as k and z.
TEST(CheckIndicesTest, AnIndexIsCheckedAgainAfterAWriteToMemoryOfItsDtype) {
  EXPECT_THAT(Conditions(R"(
        z[0] = x[k[0]]
        z[1] = x[k[0]]
)"),
              ElementsAre("k[0] >= 0 and k[0] < 8", "k[0] >= 0 and k[0] < 8"));
}

TEST(CheckIndicesTest, AnIndexIsCheckedAgainAfterItsMemoryWasWritten) {
  EXPECT_THAT(Conditions(R"(
        m = T.alloc_buffer((1,), "int32")
        m[0] = k[0]
        z[0] = x[m[0]]
        m[0] = k[1]
        z[1] = x[m[0]]
)"),
              ElementsAre("m[0] >= 0 and m[0] < 8", "m[0] >= 0 and m[0] < 8"));
}

}  // namespace
}  // namespace lathe::schedule
