#include "generator/ir/structural_equal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "generator/ops/ops.h"
#include "tests/support/module_maker.h"

namespace lathe::ir {
namespace {

using testing::Bind;
using testing::CallOp;
using testing::Dataflow;
using testing::Func;
using testing::ModuleMaker;
using testing::Ordinary;
using testing::Use;

// def main(<x>: R.Tensor((<n>, 4))): <y> = R.<op>(x); return y
Module Unary(Context& context, const char* x, const char* n, const char* y, const char* op) {
  ModuleMaker m(context);
  const StructInfoRef info = m.Tensor({context.NewVar(n), context.Int(4)});
  const ValueId in = m.Value(x, info);
  const ValueId out = m.Value(y);
  m.Add("main", Func({in}, {Ordinary({Bind(out, CallOp(*ops::FindOp(op), {Use(in)}))})}, Use(out)));
  return m.module();
}

TEST(StructuralEqual, IgnoresNames) {
  Context one;
  Context two;
  const Module a = Unary(one, "x", "n", "y", "relax.exp");
  std::string where;
  EXPECT_TRUE(StructurallyEqual(a, Unary(one, "data", "m", "lv", "relax.exp"), &where)) << where;
  EXPECT_TRUE(StructurallyEqual(a, Unary(two, "x", "n", "y", "relax.exp"), &where)) << where;
}

TEST(StructuralEqual, ReportsTheFirstDifference) {
  Context context;
  const Module a = Unary(context, "x", "n", "y", "relax.exp");
  std::string where;
  EXPECT_FALSE(StructurallyEqual(a, Unary(context, "x", "n", "y", "relax.abs"), &where));
  EXPECT_EQ(where, "function 'main': binding 'y': callee: relax.exp against relax.abs");
}

TEST(StructuralEqual, DistinguishesVariables) {
  Context context;
  ModuleMaker one(context);
  ModuleMaker two(context);
  const auto make = [&](ModuleMaker& m, bool same) {
    const PrimRef n = context.NewVar("n");
    const ValueId x = m.Value("x", m.Tensor({n, same ? n : context.NewVar("m")}));
    m.Add("main", Func({x}, {}, Use(x)));
  };
  make(one, true);
  make(two, false);
  std::string where;
  EXPECT_FALSE(StructurallyEqual(one.module(), two.module(), &where));
  EXPECT_EQ(where,
            "function 'main': parameter 'x': annotation: R.Tensor((n, n), dtype=\"float32\") "
            "against R.Tensor((n, m), dtype=\"float32\"): shape: item 1: the variable 'n' against "
            "'m'");
}

// Two calls may share one index map; what is read back has two.
TEST(StructuralEqual, IndexMapsHaveVariablesOfTheirOwn) {
  Context context;
  const auto turn = [&] {
    const PrimRef i = context.NewVar("i"), j = context.NewVar("j");
    return std::make_shared<const IndexMap>(IndexMap{{i, j}, {j, i}, {}, nullptr});
  };
  const auto make = [&](const std::shared_ptr<const IndexMap>& first,
                        const std::shared_ptr<const IndexMap>& second) {
    ModuleMaker m(context);
    const ValueId x = m.Value("x", m.Tensor({context.Int(2), context.Int(2)}));
    Function f = Func({x}, {}, Use(x));
    f.attrs["first"] = AttrValue(AttrValue::Node(first));
    f.attrs["second"] = AttrValue(AttrValue::Node(second));
    m.Add("main", std::move(f));
    return m.module();
  };
  const auto shared = turn();
  const PrimRef i = context.NewVar("i"), j = context.NewVar("j");
  const auto same = std::make_shared<const IndexMap>(IndexMap{{i, j}, {i, j}, {}, nullptr});
  std::string where;
  EXPECT_TRUE(StructurallyEqual(make(shared, shared), make(turn(), turn()), &where)) << where;
  EXPECT_FALSE(StructurallyEqual(make(shared, shared), make(turn(), same), &where));
}

TEST(StructuralEqual, ComparesBlocksAndDataflow) {
  Context context;
  const auto make = [&](bool dataflow) {
    ModuleMaker m(context);
    const ValueId x = m.Value("x");
    const ValueId y = m.Value("y");
    std::vector<Binding> bindings{Bind(y, Operand(Use(x)))};
    m.Add("main", Func({x}, {dataflow ? Dataflow(bindings) : Ordinary(bindings)}, Use(y)));
    return m.module();
  };
  std::string where;
  EXPECT_TRUE(StructurallyEqual(make(true), make(true), &where)) << where;
  EXPECT_FALSE(StructurallyEqual(make(true), make(false), &where));
  EXPECT_EQ(where, "function 'main': a dataflow block against an ordinary one");
}

TEST(StructuralEqual, ComparesAttributesBitForBit) {
  Context context;
  const auto make = [&](AttrValue value) {
    Module m;
    m.attrs["a"] = std::move(value);
    return m;
  };
  EXPECT_TRUE(StructurallyEqual(make(std::nan("")), make(std::nan("")), nullptr));
  EXPECT_FALSE(StructurallyEqual(make(0.0), make(-0.0), nullptr));
  EXPECT_FALSE(StructurallyEqual(make(1), make(1.0), nullptr));
  EXPECT_FALSE(StructurallyEqual(make(1), make(true), nullptr));
  EXPECT_FALSE(StructurallyEqual(make(AttrList{1, 2}), make(AttrList{1}), nullptr));
  EXPECT_FALSE(StructurallyEqual(make(AttrMap{{"k", 1}}), make(AttrMap{{"j", 1}}), nullptr));
}

TEST(StructuralEqual, ComparesConstantsByTheirBytes) {
  Context context;
  const auto make = [&](std::vector<uint8_t> bytes) {
    ModuleMaker m(context);
    const ConstantId c = m.Constant(DType::Int(8), {2}, std::move(bytes));
    m.Add("main", Func({}, {}, Use(c)));
    return m.module();
  };
  EXPECT_TRUE(StructurallyEqual(make({1, 2}), make({1, 2}), nullptr));
  EXPECT_FALSE(StructurallyEqual(make({1, 2}), make({1, 3}), nullptr));
}

TEST(StructuralEqual, PairsFunctionsByName) {
  Context context;
  const auto make = [&](std::vector<const char*> names) {
    ModuleMaker m(context);
    for (const char* name : names) m.AddPrivate(name, ExternFunc{name});
    return m.module();
  };
  std::string where;
  EXPECT_TRUE(StructurallyEqual(make({"f", "g"}), make({"g", "f"}), &where)) << where;
  EXPECT_FALSE(StructurallyEqual(make({"f", "g"}), make({"f", "h"}), &where));
  EXPECT_EQ(where, "function 'g' is missing in the second");
}

// Sixty doublings: compared node by node this would never end.
TEST(StructuralEqual, ComparesSharedExpressionsOnce) {
  Context one;
  Context two;
  const auto make = [](Context& context) {
    PrimRef e = context.NewVar("n");
    for (int i = 0; i < 60; ++i) e = context.Make(BinaryOp::kMul, e, e);
    Module m;
    m.attrs["e"] = e;
    return m;
  };
  EXPECT_TRUE(StructurallyEqual(make(one), make(two), nullptr));
}

TEST(StructuralEqual, ComparesLoopNests) {
  Context one;
  Context two;
  const auto make = [](Context& context, int64_t extent) {
    Buffer buffer;
    buffer.name = "A";
    buffer.dtype = DType::Float(32);
    buffer.data = context.NewPointer("A", buffer.dtype, "global");
    buffer.shape = {context.Int(extent)};
    const BufferRef a = context.NewBuffer(buffer);
    const PrimRef i = context.NewVar("i");
    const StmtRef store =
        context.Make(StoreStmt{a, {i}, context.Float(0, DType::Float(32))}, Location());
    ForStmt loop;
    loop.var = i;
    loop.min = context.Int(0);
    loop.extent = context.Int(extent);
    loop.body = store;
    PrimFunc f;
    f.params = {{buffer.data, a, {}}};
    f.body = context.Make(loop, Location());
    ModuleMaker m(context);
    m.AddPrivate("f", f);
    return m.module();
  };
  std::string where;
  EXPECT_TRUE(StructurallyEqual(make(one, 4), make(two, 4), &where)) << where;
  EXPECT_FALSE(StructurallyEqual(make(one, 4), make(two, 5), &where));
  EXPECT_EQ(where, "function 'f': parameter 0: the buffer 'A': shape: item 0: 4 against 5");
}

}  // namespace
}  // namespace lathe::ir
