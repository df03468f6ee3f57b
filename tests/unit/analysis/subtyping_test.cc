// Tests each rule of subtyping, and that it is a partial order.
#include "generator/analysis/subtyping.h"

#include <gtest/gtest.h>

#include "generator/analysis/erased_type.h"
#include "tests/support/info_maker.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class SubtypingTest : public ::testing::Test, public lathe::testing::InfoMaker {
 protected:
  Tri Ask(StructInfoRef sub, StructInfoRef super) { return IsSubtype(facts(), sub, super); }
  void Expect(Tri answer, StructInfoRef sub, StructInfoRef super) {
    EXPECT_EQ(Ask(sub, super), answer) << ToString(sub) << " <: " << ToString(super);
  }
  std::string Why(StructInfoRef sub, StructInfoRef super) {
    std::string why;
    IsSubtype(facts(), sub, super, &why);
    return why;
  }
};

TEST_F(SubtypingTest, Rule3EveryInfoIsASubtypeOfObject) {
  for (StructInfoRef info : {Tensor(2), ir.Shape(1), ir.Prim(kInt), ir.Tuple({}), Packed()}) {
    Expect(Tri::kYes, info, ir.Object());
    Expect(Tri::kNo, ir.Object(), info);
  }
}

TEST_F(SubtypingTest, Rule4TensorRankMayBeForgotten) {
  Expect(Tri::kYes, Tensor({n, Int(4)}), Tensor(-1));
  Expect(Tri::kYes, Tensor(2), Tensor(-1));
  Expect(Tri::kNo, Tensor(-1), Tensor(2));
  Expect(Tri::kNo, Tensor(3), Tensor(2));
}

TEST_F(SubtypingTest, Rule4TensorDTypeMayBeForgotten) {
  Expect(Tri::kYes, ir.Tensor(2, kFloat), ir.Tensor(2, ir::DType::Void()));
  Expect(Tri::kNo, ir.Tensor(2, ir::DType::Void()), ir.Tensor(2, kFloat));
  Expect(Tri::kNo, ir.Tensor(2, kInt), ir.Tensor(2, kFloat));
}

TEST_F(SubtypingTest, Rule4TensorShapeMayBeForgotten) {
  Expect(Tri::kYes, Tensor({n, Int(4)}), Tensor(2));
  Expect(Tri::kNo, Tensor(2), Tensor({n, Int(4)}));
}

TEST_F(SubtypingTest, Rule4TensorShapesAreProvedEqual) {
  Expect(Tri::kYes, Tensor({Plus(n, 1)}), Tensor({ir.Make(ir::BinaryOp::kAdd, Int(1), n)}));
  Expect(Tri::kUnknown, Tensor({n}), Tensor({m}));
  Expect(Tri::kNo, Tensor({n}), Tensor({Plus(n, 1)}));
  Expect(Tri::kNo, Tensor({n, Int(4)}), Tensor({m, Int(5)}));
}

TEST_F(SubtypingTest, Rule4TensorShapeThatIsAVariable) {
  Expect(Tri::kYes, TensorOf(s), TensorOf(s));
  Expect(Tri::kYes, TensorOf(s), Tensor({n, Int(4)}));
  Expect(Tri::kYes, Tensor({n, Int(4)}), TensorOf(s));
  Expect(Tri::kUnknown, TensorOf(any), Tensor({n, Int(4)}));
  Expect(Tri::kUnknown, TensorOf(any), TensorOf(s));
  Expect(Tri::kNo, TensorOf(s), Tensor({n, Int(5)}));
}

TEST_F(SubtypingTest, Rule4TensorDeviceMayBeForgotten) {
  Expect(Tri::kYes, ir.Tensor(2, kFloat, cpu), ir.Tensor(2, kFloat));
  Expect(Tri::kNo, ir.Tensor(2, kFloat), ir.Tensor(2, kFloat, cpu));
  Expect(Tri::kNo, ir.Tensor(2, kFloat, gpu), ir.Tensor(2, kFloat, cpu));
}

TEST_F(SubtypingTest, Rule5Shapes) {
  Expect(Tri::kYes, ir.Shape({n, m}), ir.Shape(-1));
  Expect(Tri::kYes, ir.Shape({n, m}), ir.Shape(2));
  Expect(Tri::kNo, ir.Shape(2), ir.Shape({n, m}));
  Expect(Tri::kNo, ir.Shape(-1), ir.Shape(2));
  Expect(Tri::kNo, ir.Shape(3), ir.Shape(2));
  Expect(Tri::kYes, ir.Shape({Times(n, 2)}), ir.Shape({ir.Make(ir::BinaryOp::kAdd, n, n)}));
  Expect(Tri::kUnknown, ir.Shape({n}), ir.Shape({m}));
  Expect(Tri::kNo, ir.Shape({n, Int(1)}), ir.Shape({m, Int(2)}));
}

TEST_F(SubtypingTest, Rule6Tuples) {
  Expect(Tri::kYes, ir.Tuple({Tensor({n}), ir.Shape({m})}), ir.Tuple({Tensor(1), ir.Object()}));
  Expect(Tri::kUnknown, ir.Tuple({Tensor({n}), Tensor({n})}), ir.Tuple({Tensor({m}), Tensor(1)}));
  Expect(Tri::kNo, ir.Tuple({Tensor({n}), Tensor(1)}), ir.Tuple({Tensor({m}), Tensor({n})}));
  Expect(Tri::kNo, ir.Tuple({Tensor(1)}), ir.Tuple({Tensor(1), Tensor(1)}));
}

TEST_F(SubtypingTest, Rule7Scalars) {
  Expect(Tri::kNo, ir.Prim(ir::DType::Int(32)), ir.Prim(kInt));
  Expect(Tri::kYes, ir.Prim(kInt, n), ir.Prim(kInt));
  Expect(Tri::kNo, ir.Prim(kInt), ir.Prim(kInt, n));
  Expect(Tri::kYes, ir.Prim(kInt, Plus(n, 1)),
         ir.Prim(kInt, ir.Make(ir::BinaryOp::kAdd, Int(1), n)));
  Expect(Tri::kUnknown, ir.Prim(kInt, n), ir.Prim(kInt, m));
  Expect(Tri::kNo, ir.Prim(kInt, Int(3)), ir.Prim(kInt, Int(4)));
}

TEST_F(SubtypingTest, Rule8PackedFunctions) {
  Expect(Tri::kYes, Packed(ir::Derive::kDefault), Packed(ir::Derive::kEmpty));
  Expect(Tri::kNo, Packed(ir::Derive::kEmpty), Packed(ir::Derive::kDefault));
  Expect(Tri::kNo, Packed(), Func({}, ir.Object()));
  Expect(Tri::kNo, Func({}, ir.Object()), Packed(ir::Derive::kEmpty));
}

TEST_F(SubtypingTest, Rule8PureFunctionsAreSubtypesOfImpure) {
  Expect(Tri::kYes, Func({Tensor(1)}, Tensor(1), true), Func({Tensor(1)}, Tensor(1), false));
  Expect(Tri::kNo, Func({Tensor(1)}, Tensor(1), false), Func({Tensor(1)}, Tensor(1), true));
}

TEST_F(SubtypingTest, Rule8ParametersAreContravariant) {
  Expect(Tri::kYes, Func({Tensor(-1)}, Tensor({n})), Func({Tensor(2)}, Tensor(1)));
  Expect(Tri::kNo, Func({Tensor(2)}, Tensor(1)), Func({Tensor(-1)}, Tensor(1)));
  Expect(Tri::kNo, Func({Tensor(2)}, Tensor(-1)), Func({Tensor(2)}, Tensor(1)));
  Expect(Tri::kNo, Func({Tensor(2)}, Tensor(1)), Func({}, Tensor(1)));
  Expect(Tri::kUnknown, Func({Tensor({n})}, Tensor(1)), Func({Tensor({m})}, Tensor(1)));
}

TEST_F(SubtypingTest, Rule8VariablesAreMappedBetweenFunctions) {
  StructInfoRef for_all = Func({Tensor({a})}, Tensor({a}));
  Expect(Tri::kYes, for_all, Func({Tensor({b})}, Tensor({b})));
  Expect(Tri::kYes, for_all, Func({Tensor({Int(3)})}, Tensor({Int(3)})));
  Expect(Tri::kNo, for_all, Func({Tensor({Int(3)})}, Tensor({Int(4)})));
  Expect(Tri::kUnknown, Func({Tensor({Int(3)})}, Tensor({Int(3)})), for_all);
  // n is bound outside, so it only equals itself.
  Expect(Tri::kUnknown, Func({Tensor({n})}, Tensor({n})),
         Func({Tensor({Int(3)})}, Tensor({Int(3)})));
}

TEST_F(SubtypingTest, ReportsTheReason) {
  EXPECT_EQ(Why(Tensor({n, Int(4)}), Tensor({n, Int(5)})), "dimension 1 is 4, not 5");
  EXPECT_EQ(Why(Tensor({n}), Tensor({m})), "dimension 0 is n, which may differ from m");
  EXPECT_EQ(Why(ir.Shape(1), Tensor(1)), "got a shape, not a tensor");
  EXPECT_EQ(Why(ir.Tuple({Tensor(1), Tensor({n})}), ir.Tuple({Tensor(1), Tensor({m})})),
            "field 1: dimension 0 is n, which may differ from m");
  EXPECT_EQ(Why(Tensor(-1), Tensor(2)), "the rank is not known");
  EXPECT_EQ(Why(Func({Tensor(2)}, Tensor(1), false), Func({Tensor(2)}, Tensor(1))),
            "the function is impure");
}

// A pair of a pair of ...: 2^60 leaves, 60 nodes.
TEST_F(SubtypingTest, SharedStructureIsComparedOnce) {
  StructInfoRef x = Tensor({n});
  StructInfoRef y = Tensor({m});
  for (int i = 0; i < 60; ++i) {
    x = ir.Tuple({x, x});
    y = ir.Tuple({y, y});
  }
  Expect(Tri::kUnknown, x, y);
}

TEST_F(SubtypingTest, IsAPartialOrder) {
  std::mt19937 random(1);
  std::vector<StructInfoRef> infos;
  for (int i = 0; i < 90; ++i) infos.push_back(Random(random));
  std::vector<std::vector<Tri>> holds(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    for (StructInfoRef other : infos) holds[i].push_back(Ask(infos[i], other));
    Expect(Tri::kYes, infos[i], infos[i]);
  }
  int transitive = 0;
  for (size_t i = 0; i < infos.size(); ++i) {
    for (size_t j = 0; j < infos.size(); ++j) {
      if (i == j || holds[i][j] != Tri::kYes) continue;
      if (holds[j][i] == Tri::kYes) {
        EXPECT_EQ(EraseToType(ir, infos[i]), EraseToType(ir, infos[j]))
            << ToString(infos[i]) << " and " << ToString(infos[j]);
      }
      for (size_t l = 0; l < infos.size(); ++l) {
        if (holds[j][l] != Tri::kYes) continue;
        ++transitive;
        EXPECT_EQ(holds[i][l], Tri::kYes)
            << ToString(infos[i]) << ", " << ToString(infos[j]) << ", " << ToString(infos[l]);
      }
    }
  }
  EXPECT_GT(transitive, 500);
}

}  // namespace
}  // namespace lathe::analysis
