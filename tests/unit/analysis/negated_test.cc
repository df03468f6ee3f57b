#include "generator/analysis/arithmetic/negated.h"

#include "generator/ir/context.h"
#include "gtest/gtest.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;

TEST(Negated, ComparesTheOtherWayRound) {
  ir::Context context;
  const ir::PrimRef i = context.NewVar("i", ir::DType::Int(64));
  const ir::PrimRef zero = context.Int(0), n = context.Int(9);
  const ir::PrimRef below = context.Make(BinaryOp::kLt, i, n);
  const ir::PrimRef not_below = context.Make(BinaryOp::kGe, i, n);
  const ir::PrimRef positive = context.Make(BinaryOp::kGt, i, zero);
  const ir::PrimRef not_positive = context.Make(BinaryOp::kLe, i, zero);
  EXPECT_EQ(Negated(context, below), not_below);
  EXPECT_EQ(Negated(context, not_below), below);
  EXPECT_EQ(Negated(context, positive), not_positive);
  EXPECT_EQ(Negated(context, context.Make(BinaryOp::kEq, i, n)), context.Make(BinaryOp::kNe, i, n));
  EXPECT_EQ(Negated(context, context.Make(BinaryOp::kAnd, below, positive)),
            context.Make(BinaryOp::kOr, not_below, not_positive));
  EXPECT_EQ(Negated(context, context.Make(ir::UnaryOp::kNot, below)), below);
}

TEST(Negated, KeepsComparisonsThatMayBeNaN) {
  ir::Context context;
  const ir::PrimRef x = context.NewVar("x", ir::DType::Float(32));
  const ir::PrimRef below = context.Make(BinaryOp::kLt, x, context.Float(0, x->dtype()));
  EXPECT_EQ(Negated(context, below), context.Make(ir::UnaryOp::kNot, below));
}

}  // namespace
}  // namespace lathe::analysis
