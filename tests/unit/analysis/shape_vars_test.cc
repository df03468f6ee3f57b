// Tests shape variables: collection, substitution by calls, erasure with their scope.
#include "generator/analysis/arithmetic/shape_vars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/erase.h"
#include "generator/analysis/subtyping.h"
#include "tests/support/info_maker.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;
using ir::Tri;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ShapeVarsTest : public ::testing::Test, public lathe::testing::InfoMaker {
 protected:
  ShapeVarMap Mapping(StructInfoRef formal, StructInfoRef actual) {
    ShapeVarMap mapping;
    AddShapeVarMapping(
        formal, actual, [&](PrimRef var) { return !scope.Has(var); }, mapping);
    return mapping;
  }
  // Erased to a scope that holds n and the variable s.
  StructInfoRef Erased(StructInfoRef info) {
    const auto has_value = [&](ir::ValueId id) { return id == s; };
    const auto has_var = [&](PrimRef var) { return var == n; };
    return EraseToWellDefined(ir, info, {has_value, has_var});
  }
};

TEST_F(ShapeVarsTest, VariablesOfAnExpression) {
  EXPECT_THAT(VarsIn(ir.Make(ir::BinaryOp::kAdd, Times(m, 2), ir.Make(ir::BinaryOp::kMin, n, m))),
              ElementsAre(m, n));
  EXPECT_THAT(VarsIn(Int(3)), IsEmpty());
  EXPECT_THAT(VarsIn(ir.Make(n->dtype(), ir::Let{a, m, Plus(a, 1)})), ElementsAre(m));
}

TEST_F(ShapeVarsTest, BindingPositionsAreSingleVariables) {
  EXPECT_THAT(BindingVars(ir.Tuple({Tensor({n, Times(m, 2)}), ir.Shape({k}), ir.Prim(kInt, a)})),
              ElementsAre(n, k, a));
  EXPECT_THAT(BindingVars(Func({Tensor({n})}, Tensor({n}))), IsEmpty());
}

TEST_F(ShapeVarsTest, FunctionBindsVariablesOfItsParameters) {
  StructInfoRef f = Func({Tensor({n, Times(m, 2)}), ir.Shape({m})}, Tensor({Plus(n, 1), k}));
  EXPECT_THAT(OwnVars(*f->As<ir::FuncInfo>()), ElementsAre(n, m));
  EXPECT_THAT(FreeVars(f), ElementsAre(k));
  EXPECT_THAT(AllVars(f), ElementsAre(n, m, k));
  EXPECT_THAT(FreeVars(ir.Tuple({f, Tensor({m})})), ElementsAre(k, m));
}

TEST_F(ShapeVarsTest, MappingFollowsTheStructure) {
  const ShapeVarMap mapping = Mapping(ir.Tuple({Tensor({a, Int(4)}), ir.Shape({b})}),
                                      ir.Tuple({Tensor({Plus(n, 1), Int(4)}), ir.Shape({m})}));
  EXPECT_EQ(mapping.size(), 2u);
  EXPECT_EQ(mapping.at(a), Plus(n, 1));
  EXPECT_EQ(mapping.at(b), m);
}

TEST_F(ShapeVarsTest, MappingOfScalars) {
  EXPECT_EQ(Mapping(ir.Prim(kInt, a), ir.Prim(kInt, Int(7))).at(a), Int(7));
}

TEST_F(ShapeVarsTest, MappingLeavesFunctionsTheirVariables) {
  EXPECT_THAT(Mapping(Func({Tensor({a})}, Tensor({b})), Func({Tensor({n})}, Tensor({m}))),
              IsEmpty());
}

TEST_F(ShapeVarsTest, MappingIsEmptyForDifferentStructures) {
  EXPECT_THAT(Mapping(Tensor({a}), ir.Shape({n})), IsEmpty());
  EXPECT_THAT(Mapping(Tensor({a}), Tensor({n, m})), IsEmpty());
  EXPECT_THAT(Mapping(Tensor({a}), Tensor(1)), IsEmpty());
  EXPECT_THAT(Mapping(ir.Tuple({Tensor({a})}), ir.Tuple({})), IsEmpty());
  EXPECT_THAT(Mapping(Tensor({Plus(a, 1)}), Tensor({n})), IsEmpty());
}

TEST_F(ShapeVarsTest, MappingSkipsVariablesInScope) {
  EXPECT_THAT(Mapping(Tensor({n}), Tensor({Int(3)})), IsEmpty());
  EXPECT_EQ(Mapping(Tensor({a, a}), Tensor({Int(3), Int(4)})).at(a), Int(3));
}

TEST_F(ShapeVarsTest, SubstitutionReachesEverywhere) {
  const ShapeVarMap mapping = {{a, Plus(n, 1)}};
  EXPECT_EQ(Substitute(ir, Times(a, 2), mapping), Times(Plus(n, 1), 2));
  EXPECT_EQ(Substitute(ir, ir.Tuple({Tensor({a}), ir.Shape({a, m}), ir.Prim(kInt, a)}), mapping),
            ir.Tuple({Tensor({Plus(n, 1)}), ir.Shape({Plus(n, 1), m}), ir.Prim(kInt, Plus(n, 1))}));
  EXPECT_EQ(Substitute(ir, TensorOf(any), {}, {{any, ir::TensorInfo::ShapeOrVar(s)}}), TensorOf(s));
}

TEST_F(ShapeVarsTest, RenamingTouchesOwnVariablesOnly) {
  StructInfoRef f = Func({Tensor({a, n})}, Tensor({a, n}));
  StructInfoRef renamed = RenameOwnVars(ir, f, [&](PrimRef var) { return var == n; });
  EXPECT_NE(renamed, f);
  EXPECT_EQ(ToString(renamed), ToString(f));
  EXPECT_EQ(IsSubtype(facts(), renamed, f), Tri::kYes);
  EXPECT_EQ(IsSubtype(facts(), f, renamed), Tri::kYes);
  EXPECT_THAT(FreeVars(renamed), IsEmpty());
  EXPECT_NE(OwnVars(*renamed->As<ir::FuncInfo>())[0], a);
  EXPECT_EQ(OwnVars(*renamed->As<ir::FuncInfo>())[1], n);
}

TEST_F(ShapeVarsTest, ErasingMakesDependentSizesUnknown) {
  EXPECT_EQ(Erased(Tensor({n, Int(4)})), Tensor({n, Int(4)}));
  EXPECT_EQ(Erased(Tensor({n, m})), Tensor(2));
  EXPECT_EQ(Erased(TensorOf(s)), TensorOf(s));
  EXPECT_EQ(Erased(TensorOf(any)), Tensor(2));
  EXPECT_EQ(Erased(ir.Shape({n, Plus(m, 1)})), ir.Shape(2));
  EXPECT_EQ(Erased(ir.Prim(kInt, m)), ir.Prim(kInt));
  EXPECT_EQ(Erased(ir.Tuple({Tensor({m}), Tensor({n})})), ir.Tuple({Tensor(1), Tensor({n})}));
}

TEST_F(ShapeVarsTest, ErasingKeepsTheDeviceAndThePurity) {
  EXPECT_EQ(Erased(ir.Tensor({m}, kFloat, gpu)), ir.Tensor(1, kFloat, gpu));
  EXPECT_EQ(Erased(Func({Tensor({k, Times(m, 2)})}, Tensor({m}), false)),
            Func({Tensor(2)}, Tensor(1), false));
}

TEST_F(ShapeVarsTest, ErasingKeepsAFunctionsOwnVariables) {
  StructInfoRef f = Func({Tensor({m})}, Tensor({Plus(m, 1), n}));
  EXPECT_EQ(Erased(f), f);
}

// Not so of functions: to leave open what a parameter is, is to say that the function takes more.
TEST_F(ShapeVarsTest, ErasingWeakens) {
  std::mt19937 random(6);
  for (int i = 0; i < 3000; ++i) {
    StructInfoRef info = RandomData(random);
    StructInfoRef erased = Erased(info);
    EXPECT_EQ(IsSubtype(facts(), info, erased), Tri::kYes)
        << ToString(info) << " <: " << ToString(erased);
    EXPECT_EQ(Erased(erased), erased);
  }
}

// n * n, its square, its square, ...: 2^60 factors as a tree, 60 nodes.
TEST_F(ShapeVarsTest, ErasingDropsDimensionsOfExponentialSize) {
  PrimRef dim = n;
  for (int i = 0; i < 60; ++i) dim = ir.Make(ir::BinaryOp::kMul, dim, dim);
  EXPECT_EQ(Erased(Tensor({dim})), Tensor(1));
}

}  // namespace
}  // namespace lathe::analysis
