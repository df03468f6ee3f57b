// Tests each clause of check_compatibility, and its relation to subtyping.
#include "generator/analysis/compatibility.h"

#include <gtest/gtest.h>

#include "generator/analysis/erased_type.h"
#include "generator/analysis/overlap.h"
#include "generator/analysis/subtyping.h"
#include "tests/support/info_maker.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class CompatibilityTest : public ::testing::Test, public lathe::testing::InfoMaker {
 protected:
  Tri Ask(StructInfoRef s1, StructInfoRef s2) { return CheckCompatibility(facts(), s1, s2); }
  void Expect(Tri answer, StructInfoRef s1, StructInfoRef s2) {
    EXPECT_EQ(Ask(s1, s2), answer) << ToString(s1) << " where " << ToString(s2);
  }
};

TEST_F(CompatibilityTest, Clause1WithAnObjectIsEverything) {
  Expect(Tri::kYes, Tensor(1), ir.Object());
  Expect(Tri::kYes, ir.Object(), ir.Object());
}

TEST_F(CompatibilityTest, Clause2DifferentKinds) {
  Expect(Tri::kNo, ir.Object(), Tensor(1));
  Expect(Tri::kNo, ir.Shape(1), Tensor(1));
  Expect(Tri::kNo, ir.Prim(kInt), Tensor(0));
}

TEST_F(CompatibilityTest, Clause3Tuples) {
  Expect(Tri::kNo, ir.Tuple({Tensor(1)}), ir.Tuple({}));
  Expect(Tri::kYes, ir.Tuple({Tensor({n}), Tensor(1)}), ir.Tuple({Tensor(1), ir.Object()}));
  Expect(Tri::kUnknown, ir.Tuple({Tensor(1), Tensor(1)}), ir.Tuple({Tensor({n}), Tensor(1)}));
  Expect(Tri::kNo, ir.Tuple({Tensor(1), Tensor(2)}), ir.Tuple({Tensor({n}), Tensor(1)}));
}

TEST_F(CompatibilityTest, Clause4Shapes) {
  Expect(Tri::kYes, ir.Shape({n}), ir.Shape(-1));
  Expect(Tri::kNo, ir.Shape(1), ir.Shape(2));
  Expect(Tri::kNo, ir.Shape(-1), ir.Shape(2));
  Expect(Tri::kYes, ir.Shape({n}), ir.Shape(1));
  Expect(Tri::kUnknown, ir.Shape(1), ir.Shape({n}));
  Expect(Tri::kNo, ir.Shape({n, Int(3)}), ir.Shape({m, Int(4)}));
  Expect(Tri::kYes, ir.Shape({n}), ir.Shape({n}));
  Expect(Tri::kUnknown, ir.Shape({n}), ir.Shape({m}));
}

TEST_F(CompatibilityTest, Clause5Scalars) {
  Expect(Tri::kNo, ir.Prim(kInt), ir.Prim(kFloat));
  Expect(Tri::kYes, ir.Prim(kInt, n), ir.Prim(kInt));
  Expect(Tri::kUnknown, ir.Prim(kInt), ir.Prim(kInt, n));
  Expect(Tri::kYes, ir.Prim(kInt, n), ir.Prim(kInt, n));
  Expect(Tri::kUnknown, ir.Prim(kInt, n), ir.Prim(kInt, m));
  Expect(Tri::kNo, ir.Prim(kInt, Int(1)), ir.Prim(kInt, Int(2)));
}

TEST_F(CompatibilityTest, Clause6Tensors) {
  const ir::DType open = ir::DType::Void();
  // 6.1, 6.2, 6.3
  Expect(Tri::kNo, ir.Tensor(1, kInt), ir.Tensor(1, kFloat));
  Expect(Tri::kNo, Tensor(1), Tensor(2));
  Expect(Tri::kNo, ir.Tensor(1, kFloat, cpu), ir.Tensor(1, kFloat, gpu));
  // 6.4, 6.5
  Expect(Tri::kYes, Tensor({n}), Tensor(1));
  Expect(Tri::kYes, Tensor({n}), Tensor(-1));
  Expect(Tri::kUnknown, Tensor(1), Tensor({n}));
  // 6.6
  Expect(Tri::kYes, TensorOf(s), Tensor({n, Int(4)}));
  Expect(Tri::kUnknown, TensorOf(any), Tensor({n, Int(4)}));
  Expect(Tri::kNo, TensorOf(s), Tensor({n, Int(5)}));
  // 6.7
  Expect(Tri::kYes, Tensor({Plus(n, 1)}), Tensor({Plus(n, 1)}));
  Expect(Tri::kUnknown, Tensor({n, Int(4)}), Tensor({m, Int(4)}));
  Expect(Tri::kNo, Tensor({n, Int(4)}), Tensor({m, Int(5)}));
  // 6.8
  Expect(Tri::kUnknown, ir.Tensor({n}, open), ir.Tensor({n}, kFloat));
  Expect(Tri::kUnknown, ir.Tensor({n}, kFloat), ir.Tensor({n}, kFloat, cpu));
  Expect(Tri::kYes, ir.Tensor({n}, kFloat, cpu), ir.Tensor({n}, open));
}

TEST_F(CompatibilityTest, Clause6ATensorOfUnknownRankMayHaveTheRank) {
  Expect(Tri::kUnknown, Tensor(-1), Tensor(2));
}

TEST_F(CompatibilityTest, Clause7Functions) {
  // 7.1, 7.2
  Expect(Tri::kNo, Packed(), Func({}, ir.Object()));
  Expect(Tri::kYes, Packed(), Packed());
  Expect(Tri::kUnknown, Packed(ir::Derive::kEmpty), Packed(ir::Derive::kDefault));
  Expect(Tri::kYes, Packed(ir::Derive::kDefault), Packed(ir::Derive::kEmpty));
  // 7.3.1, 7.3.2
  Expect(Tri::kNo, Func({Tensor(1)}, Tensor(1)), Func({}, Tensor(1)));
  Expect(Tri::kNo, Func({}, Tensor(1), false), Func({}, Tensor(1), true));
  Expect(Tri::kYes, Func({}, Tensor(1), true), Func({}, Tensor(1), false));
  // 7.3.3
  Expect(Tri::kYes, Func({Tensor({a})}, Tensor({a})), Func({Tensor({b})}, Tensor({b})));
  Expect(Tri::kNo, Func({Tensor({a})}, Tensor({a})), Func({Tensor({b})}, Tensor({Plus(b, 1)})));
  // 7.3.4
  Expect(Tri::kYes, Func({Tensor(-1)}, Tensor({n})), Func({Tensor(1)}, Tensor(1)));
  Expect(Tri::kUnknown, Func({Tensor(1)}, Tensor(1)), Func({Tensor(-1)}, Tensor(1)));
  Expect(Tri::kUnknown, Func({Tensor(1)}, Tensor(1)), Func({Tensor(1)}, Tensor({n})));
  Expect(Tri::kNo, Func({ir.Shape(1)}, Tensor(1)), Func({Tensor(1)}, Tensor(1)));
}

TEST_F(CompatibilityTest, CompatibleInfosEraseToSubtypes) {
  std::mt19937 random(4);
  int compatible = 0;
  for (int i = 0; i < 10000; ++i) {
    StructInfoRef x = Random(random);
    StructInfoRef y = Random(random);
    if (Ask(x, y) != Tri::kYes) continue;
    ++compatible;
    EXPECT_EQ(IsSubtype(facts(), EraseToType(ir, x), EraseToType(ir, y)), Tri::kYes)
        << ToString(x) << " where " << ToString(y);
  }
  EXPECT_GT(compatible, 300);
}

TEST_F(CompatibilityTest, SubtypesAreCompatibleAndCompatibleInfosOverlap) {
  std::mt19937 random(5);
  int subtypes = 0;
  for (int i = 0; i < 10000; ++i) {
    StructInfoRef x = Random(random);
    StructInfoRef y = Random(random);
    const Tri subtype = IsSubtype(facts(), x, y);
    subtypes += subtype == Tri::kYes;
    EXPECT_GE(Ask(x, y), subtype) << ToString(x) << " where " << ToString(y);
    if (Ask(x, y) != Tri::kNo) {
      EXPECT_TRUE(MayOverlap(facts(), x, y)) << ToString(x) << " where " << ToString(y);
      EXPECT_TRUE(MayOverlap(facts(), y, x)) << ToString(x) << " where " << ToString(y);
    }
  }
  EXPECT_GT(subtypes, 300);
}

TEST_F(CompatibilityTest, CastMaySucceedBetweenUnorderedInfos) {
  EXPECT_TRUE(MayOverlap(facts(), ir.Tensor(2, ir::DType::Void()), Tensor(-1)));
  EXPECT_TRUE(
      MayOverlap(facts(), ir.Tuple({ir.Object(), Tensor(1)}), ir.Tuple({Tensor(1), ir.Object()})));
  EXPECT_TRUE(MayOverlap(facts(), ir.Shape(-1), ir.Shape({n})));
  EXPECT_FALSE(MayOverlap(facts(), ir.Tensor(2, kInt), Tensor(-1)));
  EXPECT_FALSE(
      MayOverlap(facts(), ir.Tuple({ir.Object(), Tensor(1)}), ir.Tuple({Tensor(1), ir.Shape(1)})));
}

}  // namespace
}  // namespace lathe::analysis
