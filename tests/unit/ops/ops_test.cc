#include "generator/ops/ops.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::ops {
namespace {

using ::testing::IsNull;
using ::testing::Le;
using ::testing::NotNull;

// Where the schema leaves no doubt what a call looks like.
TEST(AllOps, RowsAreSortedAndTheirSchemasConsistent) {
  std::string last;
  for (const ir::Op& op : AllOps()) {
    SCOPED_TRACE(op.name);
    EXPECT_LT(last, op.name);
    last = op.name;
    std::set<std::string> names;
    bool attrs = false;
    for (const ir::OpParam& p : op.params) {
      SCOPED_TRACE(p.name);
      EXPECT_TRUE(names.insert(p.name).second) << "twice";
      EXPECT_TRUE(!attrs || p.attr) << "an argument after the attributes";
      attrs |= p.attr;
      EXPECT_TRUE(p.default_from.empty() || names.count(p.default_from) > 0);
      EXPECT_TRUE(!p.pads || p.repeat % 2 == 0);
      const bool only_args = p.kind == ir::ParamKind::kExpr || p.kind == ir::ParamKind::kConst ||
                             p.kind == ir::ParamKind::kTuple || p.kind == ir::ParamKind::kShape ||
                             p.kind == ir::ParamKind::kFunc;
      EXPECT_FALSE(only_args && p.attr);
    }
    EXPECT_FALSE(op.compute != nullptr && !op.without_compute.empty());
  }
}

// 230 of Relax, and requantize.
TEST(AllOps, Holds231) { EXPECT_EQ(AllOps().size(), 231u); }

TEST(FindOp, FindsByFullName) {
  const ir::Op* op = FindOp("relax.nn.conv2d");
  ASSERT_THAT(op, NotNull());
  EXPECT_EQ(op->name, "relax.nn.conv2d");
  EXPECT_THAT(FindOp("nn.conv2d"), IsNull());
  EXPECT_THAT(FindOp("relax.nn.conv9d"), IsNull());
  EXPECT_THAT(FindOp(""), IsNull());
}

TEST(FindSurfaceOp, KnowsOtherSpellings) {
  EXPECT_EQ(FindSurfaceOp("nn.conv2d"), FindOp("relax.nn.conv2d"));
  EXPECT_EQ(FindSurfaceOp("dist.call_tir"), FindOp("relax.call_tir"));
  EXPECT_THAT(FindSurfaceOp("relax.add"), IsNull());
}

TEST(AllOps, PurityMatchesTheLanguage) {
  std::set<std::string> impure;
  for (const ir::Op& op : AllOps()) {
    if (!op.pure) impure.insert(op.name);
  }
  EXPECT_EQ(impure, std::set<std::string>({"relax.assert_op", "relax.call_builtin_with_ctx",
                                           "relax.invoke_closure", "relax.memory.kill_storage",
                                           "relax.memory.kill_tensor", "relax.print",
                                           "relax.vm.call_tir_dyn", "relax.vm.kill_object"}));
}

}  // namespace
}  // namespace lathe::ops
