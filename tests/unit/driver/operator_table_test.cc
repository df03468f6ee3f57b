#include "generator/driver/cli/operator_table.h"

#include "generator/ops/ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

TEST(OperatorTableTest, SignaturesReadLikeCalls) {
  const auto signature = [](const char* name) { return OperatorSignature(*ops::FindOp(name)); };
  EXPECT_EQ(signature("relax.nn.softmax"), "R.nn.softmax(data, axis: int = -1)");
  EXPECT_EQ(signature("relax.call_tir"),
            "R.call_tir(gvar, args: tuple, *, tir_vars: shape = None, out_sinfo)");
  EXPECT_EQ(signature("relax.call_pure_packed"),
            "R.call_pure_packed(func: func, *args, sinfo_args)");
}

// An operator either has a loop nest or says why not.
TEST(OperatorTableTest, EveryOperatorIsAccountedFor) {
  EXPECT_GE(ops::AllOps().size(), 230u);
  for (const ir::Op& op : ops::AllOps()) {
    EXPECT_NE(OperatorComputation(op), "") << op.name;
    EXPECT_NE(op.infer, nullptr) << op.name;
  }
}

TEST(OperatorTableTest, ThePageIsCurrent) {
  ExpectGolden(SourcePath("docs/operators.md"), OperatorsAsMarkdown());
  EXPECT_THAT(OperatorsAsJson(), HasSubstr("\"name\": \"relax.add\""));
}

}  // namespace
}  // namespace lathe::driver
