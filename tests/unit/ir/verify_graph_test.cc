#include "generator/ir/verify_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/ops/ops.h"
#include "tests/support/module_maker.h"

namespace lathe::ir {
namespace {

using testing::Bind;
using testing::Dataflow;
using testing::Func;
using ::testing::HasSubstr;
using testing::ModuleMaker;
using ::testing::Optional;
using testing::Ordinary;
using testing::Use;

class VerifyGraphTest : public ::testing::Test {
 protected:
  void ExpectBroken(absl::string_view what) {
    EXPECT_THAT(BrokenInvariant(m_.module()), Optional(HasSubstr(std::string(what))));
  }

  Context context_;
  ModuleMaker m_{context_};
  ValueId x_ = m_.Value("x");
  ValueId y_ = m_.Value("y");
};

TEST_F(VerifyGraphTest, AcceptsValidModules) {
  const ValueId lv = m_.DataflowValue("lv");
  m_.Add("main",
         Func({x_}, {Dataflow({Bind(lv, Operand(Use(x_))), Bind(y_, Operand(Use(lv)))})}, Use(y_)));
  EXPECT_EQ(BrokenInvariant(m_.module()), std::nullopt);
}

TEST_F(VerifyGraphTest, FindsUsesBeforeBindings) {
  m_.Add("main",
         Func({}, {Ordinary({Bind(y_, Operand(Use(x_))), Bind(x_, Operand(Use(y_)))})}, Use(x_)));
  ExpectBroken("function 'main': 'y' (1): 'x' (0) is unbound here");
}

TEST_F(VerifyGraphTest, FindsDoubleBindings) {
  m_.Add("main", Func({x_}, {Ordinary({Bind(x_, Operand(Use(x_)))})}, Use(x_)));
  ExpectBroken("'x' (0) is bound twice");
}

TEST_F(VerifyGraphTest, BranchesHaveSeparateScopes) {
  If branch{Use(x_), {{Ordinary({Bind(y_, Operand(Use(x_)))})}, Use(y_), {}}, {{}, Use(y_), {}}};
  const ValueId z = m_.Value("z");
  m_.Add("main", Func({x_}, {Ordinary({Bind(z, std::move(branch))})}, Use(z)));
  ExpectBroken("the result: 'y' (1) is unbound here");
}

TEST_F(VerifyGraphTest, KeepsDataflowVariablesInTheirBlock) {
  const ValueId lv = m_.DataflowValue("lv");
  m_.Add("main", Func({x_}, {Dataflow({Bind(lv, Operand(Use(x_)))})}, Use(lv)));
  ExpectBroken("'lv' (2) is unbound here");
}

TEST_F(VerifyGraphTest, FindsDataflowVariablesOutsideBlocks) {
  const ValueId lv = m_.DataflowValue("lv");
  m_.Add("main", Func({x_}, {Ordinary({Bind(lv, Operand(Use(x_)))})}, Use(x_)));
  ExpectBroken("bound outside dataflow blocks");
}

TEST_F(VerifyGraphTest, WantsBlocksConsolidated) {
  m_.Add("main", Func({x_}, {Ordinary({})}, Use(x_)));
  ExpectBroken("a block is empty");
  const ValueId z = m_.Value("z");
  m_.module().globals[GlobalId{0}].function()->body.blocks = {
      Ordinary({Bind(y_, Operand(Use(x_)))}), Ordinary({Bind(z, Operand(Use(x_)))})};
  ExpectBroken("two ordinary blocks stand in a row");
}

TEST_F(VerifyGraphTest, LetsFunctionLiteralsCallThemselves) {
  const ValueId p = m_.Value("p");
  const ValueId r = m_.Value("r");
  Call self;
  self.callee = y_;
  self.args = {Use(p)};
  Function inner = Func({p}, {Ordinary({Bind(r, self)})}, Use(r));
  m_.Add("main", Func({x_}, {Ordinary({Bind(y_, std::move(inner))})}, Use(y_)));
  EXPECT_EQ(BrokenInvariant(m_.module()), std::nullopt);
}

TEST_F(VerifyGraphTest, FindsNullsAndInvalidIds) {
  Call call;
  call.callee = static_cast<const Op*>(nullptr);
  m_.Add("main", Func({x_}, {Ordinary({Bind(y_, call)})}, Use(y_)));
  ExpectBroken("the operator is null");
  Function& f = *m_.module().globals[GlobalId{0}].function();
  call.callee = GlobalId{7};
  f.body.blocks[0].bindings[0].rhs = call;
  ExpectBroken("no function has the id 7");
  f.body.blocks[0].bindings[0].rhs = MatchCast{Use(x_), nullptr, {}};
  ExpectBroken("structural information is null");
  f.body.blocks[0].bindings[0].rhs = Operand{ConstantId{3}};
  ExpectBroken("no constant has the id 3");
}

TEST_F(VerifyGraphTest, MeasuresConstants) {
  m_.Constant(DType::Int(16), {3}, {1, 2, 3});
  ExpectBroken("constant 0 has 3 bytes, not 6");
}

TEST_F(VerifyGraphTest, RejectsUnprintableFunctionNames) {
  m_.AddPrivate("a-b", ExternFunc{"f"});
  ExpectBroken("function 'a-b': the name is not an identifier");
}

TEST(VerifyGraphDeathTest, NamesThePass) {
  Context context;
  ModuleMaker m(context);
  m.AddPrivate("a-b", ExternFunc{"f"});
  EXPECT_DEATH(VerifyGraph(m.module(), "fold_constants"), "after fold_constants: function 'a-b'");
}

}  // namespace
}  // namespace lathe::ir
