// Tests special cases of operator families with small models; ONNX's own cases (tests/onnx) cover
// all operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxAttribute;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

using testing::kBool;
using testing::kFloat;
using testing::kInt64;

// y = op(x, ...), where x has `dims` and the others are initializers.
struct OneNode {
  OneNode(const std::string& op, std::vector<int64_t> dims,
          std::vector<OnnxAttribute> attributes = {})
      : op(op), attributes(std::move(attributes)) {
    model.Input("x", kFloat, std::vector<testing::OnnxDim>(dims.begin(), dims.end()));
  }
  OneNode& Ints(List values) {
    const std::string name = "i" + std::to_string(inputs.size());
    model.Ints(name, {static_cast<int64_t>(values.size())}, values);
    inputs.push_back(name);
    return *this;
  }
  OneNode& Floats(List dims, const std::vector<float>& values) {
    const std::string name = "f" + std::to_string(inputs.size());
    model.Floats(name, dims, values);
    inputs.push_back(name);
    return *this;
  }
  std::string Run(const testing::OnnxArgument& x) {
    model.Node(op, inputs, {"y"}, attributes);
    model.Output("y");
    return OnnxProgram(model.Bytes()).Run({x});
  }

  std::string op;
  std::vector<OnnxAttribute> attributes;
  std::vector<std::string> inputs = {"x"};
  OnnxModel model;
};

TEST(OnnxOperatorsTest, IndicesCountFromTheEndToo) {
  EXPECT_EQ(OneNode("Gather", {3}).Ints({-1, 0}).Run({{3}, {5, 6, 7}}), "(2,): 7 5");
  EXPECT_EQ(
      OneNode("Slice", {5}).Ints({-1}).Ints({-6}).Ints({0}).Ints({-2}).Run({{5}, {0, 1, 2, 3, 4}}),
      "(3,): 4 2 0");
}

TEST(OnnxOperatorsTest, PositiveAndNegativePadding) {
  EXPECT_EQ(OneNode("Pad", {3}, {{"mode", "reflect"}}).Ints({4, 1}).Run({{3}, {1, 2, 3}}),
            "(8,): 1 2 3 2 1 2 3 2");
}

TEST(OnnxOperatorsTest, WindowsBeyondTheEdge) {
  EXPECT_EQ(OneNode("MaxPool", {1, 1, 5},
                    {{"kernel_shape", List{2}}, {"strides", List{2}}, {"ceil_mode", int64_t{1}}})
                .Run({{1, 1, 5}, {1, 4, 2, 3, 9}}),
            "(1, 1, 3): 4 3 9");
  EXPECT_EQ(OneNode("Conv", {1, 1, 4}, {{"auto_pad", "SAME_UPPER"}})
                .Floats({1, 1, 2}, {1, 10})
                .Run({{1, 1, 4}, {1, 2, 3, 4}}),
            "(1, 1, 4): 21 32 43 4");
}

TEST(OnnxOperatorsTest, TiesAreRoundedToEven) {
  EXPECT_EQ(OneNode("QuantizeLinear", {4}).Floats({}, {2}).Run({{4}, {1, 3, 5, 999}}),
            "(4,): 0 2 2 255");
}

// The reduced axes are known at run time; the declared shape gives the size of the result.
TEST(OnnxOperatorsTest, AxesMayBeInputs) {
  OnnxModel m;
  m.Input("x", kFloat, {2, 3});
  m.Input("axes", kInt64, {1});
  m.Node("ReduceSum", {"x", "axes"}, {"y"}, {{"keepdims", int64_t{0}}});
  m.Output("y", kFloat, {2});
  OnnxProgram program(m.Bytes());
  const testing::OnnxArgument x = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(program.Run({x, {{1}, {1}, "int64"}}), "(2,): 6 15");
  EXPECT_EQ(program.Run({x, {{1}, {-1}, "int64"}}), "(2,): 6 15");
}

TEST(OnnxOperatorsTest, DynamicBranches) {
  const auto branch = [](const char* op) {
    OnnxGraph graph;
    graph.Node(op, {"x"}, {"r"});
    graph.Output("r");
    return graph;
  };
  OnnxModel m;
  m.Input("c", kBool, {});
  m.Input("x", kFloat, {2});
  m.Node("If", {"c"}, {"y"}, {{"then_branch", branch("Neg")}, {"else_branch", branch("Abs")}});
  m.Output("y", kFloat, {2});
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{}, {1}, "bool"}, {{2}, {1, -2}}}), "(2,): -1 2");
  EXPECT_EQ(program.Run({{{}, {0}, "bool"}, {{2}, {1, -2}}}), "(2,): 1 2");
}

// Three iterations: the sum so far, and the stack of them.
TEST(OnnxOperatorsTest, LoopsWithConstantTripCounts) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input("sum", kFloat, {});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Node("Add", {"sum", "x"}, {"next"});
  body.Node("Identity", {"next"}, {"each"});
  for (const char* name : {"go_on", "next", "each"}) body.Output(name);
  OnnxModel m;
  m.Input("x", kFloat, {});
  m.Ints("turns", {}, {3});
  m.Node("Loop", {"turns", "", "x"}, {"last", "all"}, {{"body", body}});
  m.Output("last");
  m.Output("all");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{}, {2}}}), "(): 8; (3,): 4 6 8");
}

TEST(OnnxOperatorsTest, SequencesAreFollowed) {
  OnnxModel m;
  m.Input("x", kFloat, {2});
  m.Node("Neg", {"x"}, {"n"});
  m.Node("SequenceConstruct", {"x", "n"}, {"s"});
  m.Ints("at", {}, {-1});
  m.Node("SequenceAt", {"s", "at"}, {"y"});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}}), "(2,): -1 -2");
}

// The first n of 4 elements broadcast with n words, if there are n.
TEST(OnnxOperatorsTest, SliceSizesMatchTheirUse) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"});
  m.Floats("places", {4}, {10, 20, 30, 40});
  m.Ints("zero", {1}, {0});
  m.Node("Shape", {"x"}, {"size"});
  m.Node("Slice", {"places", "zero", "size"}, {"at"});
  m.Node("Add", {"x", "at"}, {"y"});
  m.Node("Add", {"at", "y"}, {"z"});
  m.Output("z");
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Text(), HasSubstr("R.Tensor((n,), dtype=\"float32\")"));
  EXPECT_EQ(program.Run({{{2}, {1, 2}}}), "(2,): 21 42");
  EXPECT_EQ(program.Run({{{1}, {1}}}), "(1,): 21");
  EXPECT_THAT(program.Run({{{5}, {1, 2, 3, 4, 5}}}), Not(HasSubstr(": 21")));
}

// The number of items depends on an input: the program is specialized for its given value.
TEST(OnnxOperatorsTest, SequencesGrowForSpecializedInputs) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input("items", kFloat, {});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Node("SequenceInsert", {"items", "x"}, {"more"});
  for (const char* name : {"go_on", "more"}) body.Output(name);
  OnnxModel m;
  m.Input("turns", kInt64, {});
  m.Input("x", kFloat, {});
  m.Node("SequenceConstruct", {"x"}, {"one"});
  m.Node("Loop", {"turns", "", "one"}, {"all"}, {{"body", body}});
  m.Node("ConcatFromSequence", {"all"}, {"y"}, {{"axis", int64_t{0}}, {"new_axis", int64_t{1}}});
  m.Output("y");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(),
              HasSubstr("if the trip count is dynamic (--like DIR"));
  InputShapes shapes;
  shapes.values = {{"turns", {2}}};
  OnnxProgram program(m.Bytes(), shapes);
  EXPECT_EQ(program.Run({{{}, {2}, "int64"}, {{}, {5}}}), "(3,): 5 5 5");
  EXPECT_THAT(program.Run({{{}, {3}, "int64"}, {{}, {5}}}),
              HasSubstr("Loop was compiled for an input of 2"));
}

TEST(OnnxOperatorsTest, StringsAreRowsOfBytes) {
  OnnxModel m;
  m.Input("a", 8, {1});
  m.Input("b", 8, {1});
  m.Node("StringConcat", {"a", "b"}, {"y"});
  m.Output("y", 8, {1});
  InputShapes shapes;
  shapes.widths = {{"a", 3}, {"b", 2}};
  EXPECT_EQ(OnnxProgram(m.Bytes(), shapes)
                .Run({{{1, 3}, {104, 105, 0}, "uint8"}, {{1, 2}, {33, 0}, "uint8"}}),
            "(1, 5): 104 105 33 0 0");
  // Without known widths, the inputs may have any.
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 2}, {104, 105}, "uint8"}, {{1, 1}, {33}, "uint8"}}),
            "(1, 3): 104 105 33");
}

TEST(OnnxOperatorsTest, RejectsInvalidNodes) {
  EXPECT_THAT(OneNode("Concat", {2}, {{"axis", int64_t{4}}}).Run({{2}, {1, 2}}),
              HasSubstr("axis 4 is out of range for rank 1 [onnx-bad-node]"));
  EXPECT_THAT(OneNode("Reshape", {4}).Ints({-1, -1}).Run({{4}, {1, 2, 3, 4}}),
              HasSubstr("more than one dimension of the new shape is -1"));
  EXPECT_THAT(
      OneNode("MaxPool", {1, 1, 4}, {{"kernel_shape", List{0}}}).Run({{1, 1, 4}, {1, 2, 3, 4}}),
      HasSubstr("a kernel, stride, dilation or pad is out of range"));
}

}  // namespace
}  // namespace lathe::onnx
