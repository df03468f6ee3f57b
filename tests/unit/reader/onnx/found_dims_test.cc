// Tests shapes that the values of inputs determine in the run, without declared shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using testing::kInt64;
using testing::OnnxAttribute;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

// Runs a node on x, 0 to 5 in two rows, and integer inputs.
std::string Shaped(const std::string& op, const std::vector<std::vector<double>>& lists,
                   const std::vector<OnnxAttribute>& attributes = {}, bool scalars = false) {
  OnnxModel m;
  std::vector<std::string> names;
  std::vector<testing::OnnxArgument> arguments;
  if (!scalars && op != "ConstantOfShape") {
    m.Input("x", kFloat, {2, 3});
    names.emplace_back("x");
    arguments.push_back({{2, 3}, {0, 1, 2, 3, 4, 5}});
  }
  for (const std::vector<double>& list : lists) {
    names.push_back("s" + std::to_string(names.size()));
    List shape = {static_cast<int64_t>(list.size())};
    if (scalars) shape.clear();
    m.Input(names.back(), kInt64, {shape.begin(), shape.end()});
    arguments.push_back({shape, list, "int64"});
  }
  m.Node(op, names, {"y"}, attributes).Output("y");
  return OnnxProgram(m.Bytes()).Run(arguments);
}

TEST(OnnxFoundDimsTest, ShapesAreInputs) {
  EXPECT_EQ(Shaped("Reshape", {{3, 2}}), "(3, 2): 0 1 2 3 4 5");
  EXPECT_EQ(Shaped("Reshape", {{0, 1, -1}}), "(2, 1, 3): 0 1 2 3 4 5");
  EXPECT_THAT(Shaped("Reshape", {{4, 2}}), HasSubstr("has 6 elements, but the shape it has 8"));
  EXPECT_THAT(Shaped("Reshape", {{-1, -1}}), HasSubstr("no more than one entry of -1"));
  EXPECT_EQ(Shaped("Expand", {{2, 1, 1}}), "(2, 2, 3): 0 1 2 3 4 5 0 1 2 3 4 5");
  EXPECT_THAT(Shaped("Expand", {{2, 2}}), HasSubstr("Expand needs a shape"));
  EXPECT_EQ(Shaped("ConstantOfShape", {{2, 0}}), "(2, 0): ");
  EXPECT_EQ(Shaped("Tile", {{1, 2}}), "(2, 6): 0 1 2 0 1 2 3 4 5 3 4 5");
  EXPECT_EQ(Shaped("Unsqueeze", {{-1, 0}}), "(1, 2, 3, 1): 0 1 2 3 4 5");
  EXPECT_THAT(Shaped("Squeeze", {{0}}), HasSubstr("Squeeze needs axes"));
  EXPECT_THAT(Shaped("ConstantOfShape", {{2, -1}}), HasSubstr("-1"));
}

TEST(OnnxFoundDimsTest, BoundsAreInputs) {
  EXPECT_EQ(Shaped("Pad", {{0, 1, 0, -1}}), "(2, 3): 0 0 1 0 3 4");
  EXPECT_EQ(Shaped("Slice", {{-1}, {-9}, {1}, {-2}}), "(2, 2): 2 0 5 3");
  EXPECT_EQ(Shaped("Slice", {{1, 5}, {2, 9}}), "(1, 0): ");
  EXPECT_EQ(Shaped("Range", {{5}, {0}, {-2}}, {}, true), "(3,): 5 3 1");
  EXPECT_EQ(Shaped("Range", {{5}, {0}, {2}}, {}, true), "(0,): ");
  EXPECT_EQ(Shaped("HannWindow", {{2}}, {{"output_datatype", int64_t{11}}}, true), "(2,): 0 1");
}

// The list of axes has a dynamic length, which is half of that of the pads.
TEST(OnnxFoundDimsTest, AxesOfDynamicLengthArePadded) {
  OnnxModel m;
  m.Input("x", kFloat, {2, 2}).Input("pads", kInt64, {2}).Input("axes", kInt64, {"n"});
  m.Node("Pad", {"x", "pads", "", "axes"}, {"y"}).Output("y");
  const testing::OnnxArgument x = {{2, 2}, {1, 2, 3, 4}}, pads = {{2}, {1, 0}, "int64"};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({x, pads, {{1}, {-1}, "int64"}}), "(2, 3): 0 1 2 0 3 4");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Run({x, pads, {{2}, {0, 1}, "int64"}}),
              HasSubstr("the number of axes"));
}

TEST(OnnxFoundDimsTest, ReducedAxesAreInputs) {
  EXPECT_EQ(Shaped("ReduceSum", {{-1}}), "(2, 1): 3 12");
  EXPECT_EQ(Shaped("ReduceSum", {{0}}, {{"keepdims", int64_t{0}}}), "(3,): 3 5 7");
  EXPECT_EQ(Shaped("ReduceSum", {{0, 1}}, {{"keepdims", int64_t{0}}}), "(): 15");
  EXPECT_THAT(Shaped("ReduceSum", {{2}}), HasSubstr("needs axes"));
}

std::string Resized(const std::vector<double>& scales, const std::vector<double>& sizes,
                    std::vector<float> known = {}) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"});
  std::vector<testing::OnnxArgument> arguments = {{{3}, {1, 2, 3}}};
  if (!scales.empty()) {
    m.Input("scales", kFloat, {1});
    arguments.push_back({{1}, scales});
  } else if (!known.empty()) {
    m.Floats("scales", {1}, known);
  } else {
    m.Input("sizes", kInt64, {1});
    arguments.push_back({{1}, sizes, "int64"});
  }
  const bool by_sizes = !sizes.empty();
  m.Node("Resize", {"x", "", by_sizes ? "" : "scales", by_sizes ? "sizes" : ""}, {"y"},
         {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}});
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run(arguments);
}

TEST(OnnxFoundDimsTest, ScalesAndSizesAreInputs) {
  EXPECT_EQ(Resized({2}, {}), "(6,): 1 1 2 2 3 3");
  EXPECT_EQ(Resized({}, {6}), "(6,): 1 1 2 2 3 3");
  EXPECT_EQ(Resized({}, {}, {1.5F}), "(4,): 1 1 2 3");
  EXPECT_THAT(Resized({-2}, {}), HasSubstr("-1"));
}

// Both shapes depend on s: that of the sum is known once s is taken as a list of sizes.
TEST(OnnxFoundDimsTest, ShapesOfOneInputAgree) {
  OnnxModel m;
  m.Input("s", kInt64, {2}).Ints("one", {1}, {1}).Ints("two", {1}, {2});
  m.Node("Slice", {"s", "one", "two"}, {"last"}).Node("ConstantOfShape", {"last"}, {"b"});
  m.Node("ConstantOfShape", {"s"}, {"a"}).Node("Add", {"a", "b"}, {"c"});
  m.Node("Transpose", {"c"}, {"y"}).Output("y");
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{2}, {1, 2}, "int64"}}), "(2, 1): 0 0");
  EXPECT_EQ(program.Run({{{2}, {0, 3}, "int64"}}), "(3, 0): ");
  EXPECT_THAT(program.Run({{{2}, {-1, 3}, "int64"}}), HasSubstr("-1"));
}

// The rank of the result depends on s, so the program is compiled for its value.
TEST(OnnxFoundDimsTest, RanksAreCompiledForGivenValues) {
  const auto branch = [](const List& dims) {
    OnnxGraph graph;
    graph.Floats("c", dims, {5});
    graph.Output("c");
    return graph;
  };
  OnnxModel m;
  m.Input("s", kInt64, {1}).Ints("one", {}, {1});
  m.Node("ConstantOfShape", {"s"}, {"x"}).Node("Equal", {"s", "one"}, {"is_one"});
  m.Node("If", {"is_one"}, {"c"}, {{"then_branch", branch({})}, {"else_branch", branch({1, 1})}});
  m.Node("Add", {"x", "c"}, {"sum"}).Node("Transpose", {"sum"}, {"y"}).Output("y");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(), HasSubstr("[onnx-unsupported]"));
  InputShapes shapes;
  shapes.values["s"] = {2};
  OnnxProgram program(m.Bytes(), shapes);
  EXPECT_EQ(program.Run({{{1}, {2}, "int64"}}), "(2, 1): 5 5");
  EXPECT_THAT(program.Run({{{1}, {1}, "int64"}}), HasSubstr("2"));
}

// The program compares what the elements of shapes are, as far as it is the same for all sizes.
TEST(OnnxFoundDimsTest, ShapesAreChosen) {
  OnnxModel m;
  m.Input("x", kFloat, {"n", 1}).Ints("want", {2}, {-1, 3}).Ints("open", {1}, {-1});
  m.Ints("ones", {2}, {1, 1});
  m.Node("Equal", {"want", "open"}, {"is_open"}).Node("Where", {"is_open", "ones", "want"}, {"to"});
  m.Node("Expand", {"x", "to"}, {"wide"}).Node("Shape", {"wide"}, {"shape"});
  m.Node("Equal", {"shape", "open"}, {"none"}).Node("Where", {"none", "ones", "shape"}, {"same"});
  m.Node("Split", {"same"}, {"rows", "columns"}, {{"num_outputs", int64_t{2}}});
  m.Node("Concat", {"columns", "rows"}, {"turned"}, {{"axis", int64_t{0}}});
  m.Node("Reshape", {"wide", "turned"}, {"y"}).Output("y");
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Text(), HasSubstr("R.shape([3, n])"));
  EXPECT_EQ(program.Run({{{2, 1}, {1, 2}}}), "(3, 2): 1 1 1 2 2 2");
}

// The first n - 1 of n elements are max(0, n - 1), and a convolution has n - 1.
TEST(OnnxFoundDimsTest, PartsAndConvolutionsOfOneLengthAgree) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 1, "n"}).Floats("w", {1, 1, 2}, {1, 1});
  m.Ints("zero", {1}, {0}).Ints("end", {1}, {-1}).Ints("axis", {1}, {2});
  m.Node("Conv", {"x", "w"}, {"c"}).Node("Slice", {"x", "zero", "end", "axis"}, {"part"});
  m.Node("Add", {"c", "part"}, {"y"}).Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 1, 3}, {1, 2, 3}}}), "(1, 1, 2): 4 7");
}

// The model says of which operand the result has the dimension.
TEST(OnnxFoundDimsTest, DeclaredDimensionsOfSums) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"}).Input("y", kFloat, {"m"});
  m.Node("Add", {"x", "y"}, {"z"}).Output("z", kFloat, {"n"});
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}, {{2}, {3, 4}}}), "(2,): 4 6");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}, {{1}, {3}}}), "(2,): 4 5");
}

// The ranks of the updates and of the result say how many axes the indices name.
TEST(OnnxFoundDimsTest, IndicesOfDynamicDepth) {
  OnnxModel m;
  m.Input("x", kFloat, {2, 2}).Input("at", kInt64, {"n", "k"}).Input("u", kFloat, {"n"});
  m.Node("ScatterND", {"x", "at", "u"}, {"y"}).Node("GatherND", {"y", "at"}, {"z"});
  m.Output("y").Output("z", kFloat, {"n"});
  const testing::OnnxArgument x = {{2, 2}, {1, 2, 3, 4}}, u = {{1}, {9}};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({x, {{1, 2}, {1, 0}, "int64"}, u}),
            "(2, 2): 1 2 9 4; (1,): 9");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Run({x, {{1, 1}, {1}, "int64"}, u}), HasSubstr("match_cast"));
}

// Roots and logarithms of integers are truncated, as for constant axes.
TEST(OnnxFoundDimsTest, ReducedIntegers) {
  const auto of = [](const std::string& op) {
    OnnxModel m;
    m.opset = 18;
    m.Input("x", kInt64, {2, 2}).Input("axes", kInt64, {1});
    m.Node(op, {"x", "axes"}, {"y"}).Output("y");
    return OnnxProgram(m.Bytes()).Run({{{2, 2}, {3, 4, 6, 9}, "int64"}, {{1}, {1}, "int64"}});
  };
  EXPECT_EQ(of("ReduceL2"), "(2, 1): 5 10");
  EXPECT_EQ(of("ReduceLogSum"), "(2, 1): 1 2");
  EXPECT_EQ(of("ReduceLogSumExp"), "(2, 1): 4 9");
  EXPECT_EQ(of("ReduceMean"), "(2, 1): 3 7");
}

// A size of 1 that an input says is squeezed if the program is specialized for it.
TEST(OnnxFoundDimsTest, RanksOfSpecializedSizes) {
  OnnxModel m;
  m.Input("s", kInt64, {2}).Node("ConstantOfShape", {"s"}, {"c"}).Node("Squeeze", {"c"}, {"q"});
  m.Node("Transpose", {"q"}, {"y"}, {{"perm", std::vector<int64_t>{0}}}).Output("y");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(), HasSubstr("'perm' must name each axis once"));
  InputShapes shapes;
  shapes.values["s"] = {3, 1};
  EXPECT_EQ(OnnxProgram(m.Bytes(), shapes).Run({{{2}, {3, 1}, "int64"}}), "(3,): 0 0 0");
}

// The declared result may have unnamed dimensions.
TEST(OnnxFoundDimsTest, IndicesOfDynamicDepthOfAnUnnamedResult) {
  OnnxModel m;
  m.Input("x", kFloat, {2, 2}).Input("at", kInt64, {"n", "k"});
  m.Node("GatherND", {"x", "at"}, {"z"}).Output("z", kFloat, {""});
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2, 2}, {1, 2, 3, 4}}, {{1, 2}, {1, 0}, "int64"}}),
            "(1,): 3");
}

}  // namespace
}  // namespace lathe::onnx
