#include "generator/ops/sugar.h"

#include <optional>
#include <string>
#include <vector>

#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::ops {
namespace {

class Recorder : public SugarContext {
 public:
  ir::Context& ir() override { return context_; }
  ir::ValueId Emit(ir::Call call, absl::string_view) override {
    emitted.push_back(std::move(call));
    return ir::ValueId{100 + static_cast<int>(emitted.size())};
  }
  // The expansion of `spelling` with these arguments, as operator names in order.
  std::vector<std::string> Expand(absl::string_view spelling,
                                  std::vector<std::optional<ir::Operand>> args,
                                  ir::AttrMap attrs = {}) {
    const Sugar* sugar = FindSugar(spelling);
    ir::Call bound{.callee = &sugar->signature, .attrs = std::move(attrs)};
    EXPECT_TRUE(CompleteCall(context_, sugar->signature, std::move(args), bound).ok());
    last = sugar->expand(*this, bound);
    std::vector<std::string> names;
    for (const ir::Call& call : emitted) names.push_back(call.op()->name);
    names.push_back(last.op()->name);
    return names;
  }

  std::vector<ir::Call> emitted;
  ir::Call last;

 private:
  ir::Context context_;
};

ir::Operand Var(int index) { return ir::Operand{ir::ValueId{index}}; }

TEST(Sugar, LinearTransposesTheWeight) {
  Recorder with, without;
  EXPECT_THAT(with.Expand("linear", {Var(0), Var(1), Var(2)}),
              ::testing::ElementsAre("relax.permute_dims", "relax.matmul", "relax.add"));
  EXPECT_THAT(without.Expand("linear", {Var(0), Var(1)}),
              ::testing::ElementsAre("relax.permute_dims", "relax.matmul"));
}

TEST(Sugar, AttentionWithABiasIsAnotherOperator) {
  Recorder with, without;
  EXPECT_THAT(with.Expand("nn.attention", {Var(0), Var(1), Var(2), Var(3)}),
              ::testing::ElementsAre("relax.nn.attention_bias"));
  EXPECT_THAT(without.Expand("nn.attention", {Var(0), Var(1), Var(2)}),
              ::testing::ElementsAre("relax.nn.attention"));
  EXPECT_EQ(without.last.args.size(), 3u);
}

TEST(Sugar, ArangeOfOneNumberStartsAtZero) {
  Recorder recorder;
  const ir::Operand n{ir::PrimValue{recorder.ir().Int(7)}};
  EXPECT_THAT(recorder.Expand("arange", {n}), ::testing::ElementsAre("relax.arange"));
  const auto& args = recorder.last.args;
  ASSERT_EQ(args.size(), 3u);
  EXPECT_EQ(args[0].As<ir::PrimValue>()->value, recorder.ir().Int(0));
  EXPECT_EQ(args[1].As<ir::PrimValue>()->value, recorder.ir().Int(7));
  EXPECT_EQ(*ir::FindAttr<ir::DType>(recorder.last.attrs, "dtype"), ir::DType::Int(64));
}

TEST(Sugar, MaskedFillAndRelu6) {
  Recorder fill, relu6;
  EXPECT_THAT(fill.Expand("masked_fill", {Var(0), Var(1), Var(2)}),
              ::testing::ElementsAre("relax.full_like", "relax.where"));
  EXPECT_EQ(*fill.last.args[0].As<ir::ValueId>(), ir::ValueId{1});
  EXPECT_THAT(relu6.Expand("nn.relu6", {Var(0)}), ::testing::ElementsAre("relax.clip"));
}

TEST(CompleteCall, SpellsOutShortForms) {
  ir::Context context;
  const ir::Op* op = FindOp("relax.nn.max_pool2d");
  ir::Call call{.callee = op};
  call.attrs["pool_size"] = 2;
  call.attrs["padding"] = ir::AttrList{1, 2};
  call.attrs["layout"] = "NHWC";
  ASSERT_TRUE(CompleteCall(context, *op, {Var(0)}, call).ok());
  EXPECT_EQ(call.attrs["pool_size"].As<ir::AttrList>()->size(), 2u);
  const auto& padding = *call.attrs["padding"].As<ir::AttrList>();
  ASSERT_EQ(padding.size(), 4u);
  EXPECT_EQ(*padding[3].As<int64_t>(), 2);
  EXPECT_EQ(*call.attrs["out_layout"].As<std::string>(), "NHWC");
  EXPECT_EQ(*call.attrs["ceil_mode"].As<bool>(), false);
}

TEST(CompleteCall, KeepsPositionsAndReportsMissingArguments) {
  ir::Context context;
  const ir::Op* print = FindOp("relax.print");
  ir::Call call{.callee = print};
  ASSERT_TRUE(CompleteCall(context, *print, {std::nullopt, Var(1), Var(2)}, call).ok());
  ASSERT_EQ(call.args.size(), 3u);
  EXPECT_EQ(call.args[0].As<ir::StringImm>()->value, "");

  const ir::Op* add = FindOp("relax.add");
  ir::Call bad{.callee = add};
  EXPECT_EQ(CompleteCall(context, *add, {Var(0)}, bad).message(), "argument 'x2' is missing");
  const ir::Op* softmax = FindOp("relax.astype");
  ir::Call no_dtype{.callee = softmax};
  EXPECT_EQ(CompleteCall(context, *softmax, {Var(0)}, no_dtype).message(),
            "attribute 'dtype' is missing");
}

TEST(CompleteCall, OptionalArgumentsMayBeAbsentAtTheEnd) {
  ir::Context context;
  const ir::Op* slice = FindOp("relax.strided_slice");
  ir::Call call{.callee = slice};
  ASSERT_TRUE(CompleteCall(context, *slice, {Var(0), Var(1), Var(2), Var(3)}, call).ok());
  EXPECT_EQ(call.args.size(), 4u);
  const ir::Op* eye = FindOp("relax.eye");
  ir::Call square{.callee = eye};
  ASSERT_TRUE(CompleteCall(context, *eye, {Var(5)}, square).ok());
  EXPECT_EQ(*square.args[1].As<ir::ValueId>(), ir::ValueId{5});
}

}  // namespace
}  // namespace lathe::ops
