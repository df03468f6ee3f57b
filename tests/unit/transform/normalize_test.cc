#include "generator/transform/normalize.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/ops/ops.h"
#include "gtest/gtest.h"

namespace lathe::transform {
namespace {

using ir::Operand;

// A function of one block, that holds the bindings given.
class NormalizeTest : public ::testing::Test {
 protected:
  ir::ValueId Var(const std::string& name, ir::StructInfoRef info, bool dataflow = false) {
    ir::Value value;
    value.name = name;
    value.info = info;
    value.dataflow = dataflow;
    return module.values.Add(value);
  }
  ir::Call CallTir(Operand args) {
    return {.callee = ops::FindOp("relax.call_tir"),
            .args = {Operand{ir::ExternFunc{"f"}}, std::move(args)},
            .sinfo_args = {tensor}};
  }
  ir::Function& Add(std::vector<ir::Block> blocks) {
    ir::Function function;
    function.body.blocks = std::move(blocks);
    const ir::GlobalId id = module.globals.Add({"main", std::move(function), {}});
    return *module.globals[id].function();
  }
  static const Operand& ArgsOf(const ir::Binding& binding) {
    return std::get<ir::Call>(binding.rhs).args[1];
  }

  ir::Context context;
  ir::Module module;
  ir::StructInfoRef tensor = context.Tensor(1, ir::DType::Float(32));
  ir::StructInfoRef pair = context.Tuple({tensor, tensor});
};

TEST_F(NormalizeTest, InlinesTupleVariables) {
  const ir::ValueId x = Var("x", tensor), t = Var("t", pair), u = Var("u", pair),
                    z = Var("z", tensor);
  ir::Function& f = Add({{.bindings = {{t, Operand{ir::TupleExpr{{Operand{x}, Operand{x}}}}, {}},
                                       {u, Operand{t}, {}},
                                       {z, CallTir(Operand{u}), {}}}}});
  EXPECT_TRUE(Normalize(context, module));
  ASSERT_EQ(f.body.blocks[0].bindings.size(), 3u);
  const auto* args = ArgsOf(f.body.blocks[0].bindings[2]).As<ir::TupleExpr>();
  ASSERT_NE(args, nullptr);
  EXPECT_EQ(*args->fields[1].As<ir::ValueId>(), x);
  EXPECT_FALSE(Normalize(context, module));
}

TEST_F(NormalizeTest, ExtractsFieldsOfTupleValues) {
  const ir::ValueId t = Var("t", pair), z = Var("z", tensor), y = Var("y", tensor);
  ir::Function& f =
      Add({{.dataflow = true,
            .bindings = {{z, CallTir(Operand{t}), {}}, {y, CallTir(Operand{t}), {}}}}});
  EXPECT_TRUE(Normalize(context, module));
  const std::vector<ir::Binding>& bindings = f.body.blocks[0].bindings;
  ASSERT_EQ(bindings.size(), 6u);
  EXPECT_EQ(std::get<ir::GetField>(bindings[1].rhs).index, 1);
  EXPECT_EQ(module.values[bindings[1].var].info, tensor);
  EXPECT_TRUE(module.values[bindings[1].var].dataflow);
  EXPECT_EQ(*ArgsOf(bindings[5]).As<ir::TupleExpr>()->fields[0].As<ir::ValueId>(), bindings[3].var);
  EXPECT_FALSE(Normalize(context, module));
}

TEST_F(NormalizeTest, DoesNotReachIntoAnotherDataflowBlock) {
  const ir::ValueId lv = Var("lv", tensor, true), t = Var("t", pair), z = Var("z", tensor);
  ir::Function& f =
      Add({{.dataflow = true,
            .bindings = {{t, Operand{ir::TupleExpr{{Operand{lv}, Operand{lv}}}}, {}}}},
           {.bindings = {{z, CallTir(Operand{t}), {}}}}});
  EXPECT_TRUE(Normalize(context, module));
  EXPECT_EQ(f.body.blocks[1].bindings.size(), 3u);
  EXPECT_FALSE(Normalize(context, module));
}

TEST_F(NormalizeTest, WrapsASingleArgumentAlsoInsideBranches) {
  const ir::ValueId x = Var("x", tensor), z = Var("z", tensor), r = Var("r", tensor);
  ir::If choice;
  choice.cond = Operand{x};
  choice.then_body.blocks = {{.bindings = {{z, CallTir(Operand{x}), {}}}}};
  ir::Function& f = Add({{.bindings = {{r, std::move(choice), {}}}}});
  EXPECT_TRUE(Normalize(context, module));
  const auto& inner = std::get<ir::If>(f.body.blocks[0].bindings[0].rhs);
  EXPECT_EQ(ArgsOf(inner.then_body.blocks[0].bindings[0]).As<ir::TupleExpr>()->fields.size(), 1u);
}

}  // namespace
}  // namespace lathe::transform
