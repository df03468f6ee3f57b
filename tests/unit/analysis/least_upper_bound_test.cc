#include "generator/analysis/least_upper_bound.h"

#include <gtest/gtest.h>

#include "generator/analysis/subtyping.h"
#include "tests/support/info_maker.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class LeastUpperBoundTest : public ::testing::Test, public lathe::testing::InfoMaker {
 protected:
  StructInfoRef Join(StructInfoRef x, StructInfoRef y) { return LeastUpperBound(facts(), x, y); }
  void Expect(StructInfoRef join, StructInfoRef x, StructInfoRef y) {
    EXPECT_EQ(ToString(Join(x, y)), ToString(join)) << ToString(x) << " and " << ToString(y);
    EXPECT_EQ(ToString(Join(y, x)), ToString(join)) << ToString(y) << " and " << ToString(x);
  }
};

TEST_F(LeastUpperBoundTest, OfDifferentKindsIsObject) {
  Expect(ir.Object(), Tensor(1), ir.Shape(1));
  Expect(ir.Object(), ir.Object(), Tensor(1));
  Expect(ir.Object(), ir.Prim(kInt), Tensor(0));
}

TEST_F(LeastUpperBoundTest, OfScalars) {
  Expect(ir.Object(), ir.Prim(kInt), ir.Prim(kFloat));
  Expect(ir.Prim(kInt), ir.Prim(kInt, n), ir.Prim(kInt));
  Expect(ir.Prim(kInt), ir.Prim(kInt, n), ir.Prim(kInt, m));
  Expect(ir.Prim(kInt, n), ir.Prim(kInt, n), ir.Prim(kInt, n));
}

TEST_F(LeastUpperBoundTest, OfShapes) {
  Expect(ir.Shape(-1), ir.Shape(-1), ir.Shape({n}));
  Expect(ir.Shape(-1), ir.Shape({n, m}), ir.Shape({n}));
  Expect(ir.Shape(1), ir.Shape({n}), ir.Shape(1));
  Expect(ir.Shape(1), ir.Shape({n}), ir.Shape({m}));
  Expect(ir.Shape({n}), ir.Shape({n}), ir.Shape({n}));
}

TEST_F(LeastUpperBoundTest, OfTensorsPartByPart) {
  const ir::DType open = ir::DType::Void();
  Expect(Tensor(2), Tensor({n, Int(4)}), Tensor({n, Int(5)}));
  Expect(Tensor(-1), Tensor({n}), Tensor({n, m}));
  Expect(ir.Tensor({n}, open), ir.Tensor({n}, kFloat), ir.Tensor({n}, kInt));
  Expect(ir.Tensor(1, kFloat, cpu), ir.Tensor({n}, kFloat, cpu), ir.Tensor(1, kFloat, cpu));
  Expect(ir.Tensor({n}, kFloat), ir.Tensor({n}, kFloat, cpu), ir.Tensor({n}, kFloat, gpu));
  Expect(ir.Tensor({n}, kFloat), ir.Tensor({n}, kFloat, cpu), ir.Tensor({n}, kFloat));
}

TEST_F(LeastUpperBoundTest, OfTensorsShapedByVariables) {
  EXPECT_EQ(Join(TensorOf(s), TensorOf(s)), TensorOf(s));
  EXPECT_EQ(Join(TensorOf(s), Tensor({n, Int(4)})), TensorOf(s));
  Expect(Tensor(2), TensorOf(s), TensorOf(any));
}

TEST_F(LeastUpperBoundTest, OfTuples) {
  Expect(ir.Tuple({Tensor(1), ir.Object()}), ir.Tuple({Tensor({n}), Tensor(1)}),
         ir.Tuple({Tensor({m}), ir.Shape(1)}));
  Expect(ir.Object(), ir.Tuple({}), ir.Tuple({Tensor(1)}));
}

TEST_F(LeastUpperBoundTest, OfFunctions) {
  Expect(Packed(ir::Derive::kEmpty), Packed(ir::Derive::kDefault), Packed(ir::Derive::kEmpty));
  Expect(ir.Object(), Packed(), Func({}, Tensor(1)));
  Expect(ir.Object(), Func({Tensor(1)}, Tensor(1)), Func({}, Tensor(1)));
  Expect(Func({Tensor(1)}, Tensor(1), false), Func({Tensor(1)}, Tensor({n})),
         Func({Tensor(1)}, Tensor({m}), false));
  Expect(ir.Object(), Func({Tensor(1)}, Tensor(1)), Func({ir.Shape(1)}, Tensor(1)));
}

TEST_F(LeastUpperBoundTest, FunctionsWithOtherVariableNames) {
  StructInfoRef join = Join(Func({Tensor({a})}, Tensor({a})), Func({Tensor({b})}, Tensor({b})));
  EXPECT_EQ(IsSubtype(facts(), Func({Tensor({a})}, Tensor({a})), join), Tri::kYes);
  EXPECT_EQ(IsSubtype(facts(), join, Func({Tensor({a})}, Tensor({a}))), Tri::kYes);
}

TEST_F(LeastUpperBoundTest, IsAnUpperBound) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    StructInfoRef x = Random(random);
    StructInfoRef y = Random(random);
    StructInfoRef join = Join(x, y);
    EXPECT_EQ(IsSubtype(facts(), x, join), Tri::kYes) << ToString(x) << " <: " << ToString(join);
    EXPECT_EQ(IsSubtype(facts(), y, join), Tri::kYes) << ToString(y) << " <: " << ToString(join);
    EXPECT_EQ(Join(x, x), x);
  }
}

// Of functions with parameters the specification itself gives up early.
TEST_F(LeastUpperBoundTest, IsTheLeast) {
  std::mt19937 random(3);
  std::vector<StructInfoRef> infos;
  for (int i = 0; i < 50; ++i) infos.push_back(RandomData(random));
  int bounds = 0;
  for (StructInfoRef x : infos) {
    for (StructInfoRef y : infos) {
      StructInfoRef join = Join(x, y);
      for (StructInfoRef bound : infos) {
        if (IsSubtype(facts(), x, bound) != Tri::kYes) continue;
        if (IsSubtype(facts(), y, bound) != Tri::kYes) continue;
        ++bounds;
        EXPECT_EQ(IsSubtype(facts(), join, bound), Tri::kYes)
            << ToString(join) << " of " << ToString(x) << " and " << ToString(y)
            << " <: " << ToString(bound);
      }
    }
  }
  EXPECT_GT(bounds, 500);
}

}  // namespace
}  // namespace lathe::analysis
