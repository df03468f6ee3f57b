#include "generator/reader/onnx/read_onnx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxGraph;
using testing::OnnxModel;

using Read = testing::OnnxProgram;

OnnxModel Relu(const std::vector<testing::OnnxDim>& dims) {
  OnnxModel m;
  m.Input("x", 1, dims);
  m.Node("Relu", {"x"}, {"y"});
  m.Output("y", 1, dims);
  return m;
}

TEST(ReadOnnxTest, AGraphIsAFunction) {
  Read read(Relu({2, 2}).Bytes());
  EXPECT_THAT(read.Text(), HasSubstr("y = R.nn.relu(x)"));
  EXPECT_EQ(read.Run({{{2, 2}, {1, -2, 3, -4}}}), "(2, 2): 1 0 3 0");
}

TEST(ReadOnnxTest, InitializersAreConstants) {
  OnnxModel m;
  m.Input("x", 1, {2});
  m.Floats("w", {2}, {0.5, 4});
  m.Node("Mul", {"x", "w"}, {"y"});
  m.Output("y", 1, {2});
  EXPECT_EQ(Read(m.Bytes()).Run({{{2}, {6, 7}}}), "(2,): 3 28");
}

TEST(ReadOnnxTest, NamesOfDimensionsAreShapeVariables) {
  const std::string text = Read(Relu({"batch", 3}).Bytes()).Text();
  EXPECT_THAT(text, HasSubstr("R.Tensor((\"batch\", 3)"));
}

// Reshape to (Shape(x)[0], -1): shape arithmetic is folded and needs no run-time code.
TEST(ReadOnnxTest, ShapesThatAreComputedAreFollowed) {
  OnnxModel m;
  m.Input("x", 1, {"n", 3, 4});
  m.Ints("zero", {1}, {0});
  m.Ints("rest", {1}, {-1});
  m.Node("Shape", {"x"}, {"shape"});
  m.Node("Gather", {"shape", "zero"}, {"first"});
  m.Node("Concat", {"first", "rest"}, {"to"}, {{"axis", int64_t{0}}});
  m.Node("Reshape", {"x", "to"}, {"y"});
  m.Output("y", 1, {"n", 12});
  const std::string text = Read(m.Bytes()).Text();
  EXPECT_THAT(text, HasSubstr("y = R.reshape(x, R.shape([n, 12]))"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("shape_to_tensor")));
}

TEST(ReadOnnxTest, FoldsConstants) {
  OnnxModel m;
  m.Input("x", 1, {4});
  m.Floats("a", {2}, {1, 2});
  m.Node("Mul", {"a", "a"}, {"e"});
  m.Node("Sqrt", {"e"}, {"l"});
  m.Node("Concat", {"l", "l"}, {"c"}, {{"axis", int64_t{0}}});
  m.Node("Add", {"x", "c"}, {"y"});
  m.Output("y", 1, {4});
  Read read(m.Bytes());
  EXPECT_THAT(read.Text(), ::testing::Not(HasSubstr("R.sqrt")));
  EXPECT_EQ(read.Run({{{4}, {0, 0, 0, 0}}}), "(4,): 1 2 1 2");
}

TEST(ReadOnnxTest, ModelFunctionsAreInlined) {
  OnnxModel m;
  m.opsets = {{"mine", 1}};
  m.functions = {testing::OnnxFunction("mine", "Twice", {"v"}, {"w"},
                                       {testing::OnnxNode("Add", {"v", "v"}, {"w"})})};
  m.Input("x", 1, {2});
  m.Node("Twice", {"x"}, {"y"}, std::vector<testing::OnnxAttribute>{}, "mine");
  m.Output("y", 1, {2});
  EXPECT_EQ(Read(m.Bytes()).Run({{{2}, {3, 4}}}), "(2,): 6 8");
}

TEST(ReadOnnxTest, RejectsRecursiveFunctions) {
  OnnxModel m;
  m.opsets = {{"mine", 1}};
  m.functions = {testing::OnnxFunction("mine", "F", {"v"}, {"w"},
                                       {testing::OnnxNode("F", {"v"}, {"w"}, {}, "mine")})};
  m.Input("x", 1, {2});
  m.Node("F", {"x"}, {"y"}, std::vector<testing::OnnxAttribute>{}, "mine");
  m.Output("y", 1, {2});
  EXPECT_THAT(Read(m.Bytes()).Errors(), HasSubstr("[onnx-limit]"));
}

// Functions that nothing calls may hold any operator; those that calls reach are searched.
TEST(ReadOnnxTest, FunctionsWithoutCallsAreNotRead) {
  for (const bool called : {false, true}) {
    OnnxModel m;
    m.opsets = {{"mine", 1}};
    m.functions = {
        testing::OnnxFunction("mine", "Inner", {"v"}, {"w"},
                              {testing::OnnxNode("Nonesuch", {"v"}, {"w"}, {}, "other")}),
        testing::OnnxFunction("mine", "Outer", {"v"}, {"w"},
                              {testing::OnnxNode("Inner", {"v"}, {"w"}, {}, "mine")})};
    m.Input("x", 1, {2});
    m.Node(called ? "Outer" : "Relu", {"x"}, {"y"}, std::vector<testing::OnnxAttribute>{},
           called ? "mine" : "");
    m.Output("y", 1, {2});
    const std::string errors = Read(m.Bytes()).Errors();
    if (called) {
      EXPECT_THAT(errors, HasSubstr("operator 'Nonesuch' of 'other' is not supported"));
    } else {
      EXPECT_EQ(errors, "");
    }
  }
}

// All unsupported nodes are reported together, by operator.
TEST(ReadOnnxTest, UnsupportedOperatorsAreListedTogether) {
  OnnxModel m;
  m.Input("x", 1, {2});
  m.Node("Nonesuch", {"x"}, {"a"});
  m.Node("Relo", {"a"}, {"b"});
  m.Node("Nonesuch", {"b"}, {"y"});
  m.Output("y", 1, {2});
  const std::string errors = Read(m.Bytes()).Errors();
  EXPECT_THAT(errors, HasSubstr("2 nodes have it: #0 'Nonesuch_node', #2 'Nonesuch_node'"));
  EXPECT_THAT(errors, HasSubstr("did you mean 'Relu'?"));
  EXPECT_THAT(errors, HasSubstr("[onnx-unsupported-operator]"));
}

TEST(ReadOnnxTest, ChecksDeclaredTypes) {
  OnnxModel m;
  m.Input("x", 1, {1, 4});
  m.Node("Relu", {"x"}, {"y"});
  m.Output("y", 1, {1, 5});
  EXPECT_EQ(Read(m.Bytes()).Errors(),
            "model.onnx: node 'Relu_node' (Relu, #0): the model declares that 'y' is 5 long in "
            "dimension 1, but it is 4 [onnx-declared-clash]\n");
}

TEST(ReadOnnxTest, RejectsMalformedModels) {
  const auto errors = [](const OnnxGraph& graph) {
    OnnxModel m;
    static_cast<OnnxGraph&>(m) = graph;
    return Read(m.Bytes()).Errors();
  };
  EXPECT_THAT(errors(OnnxGraph().Node("Relu", {"no"}, {"y"}).Output("y")),
              HasSubstr("[onnx-unknown-value]"));
  EXPECT_THAT(errors(OnnxGraph().Input("x", 1, {2}).Output("z")),
              HasSubstr("[onnx-unknown-value]"));
  EXPECT_THAT(errors(OnnxGraph()
                         .Input("x", 1, {2})
                         .Node("Relu", {"x"}, {"y"})
                         .Node("Abs", {"x"}, {"y"})
                         .Output("y")),
              HasSubstr("[onnx-duplicate-value]"));
  EXPECT_THAT(errors(OnnxGraph().Input("x", 1, {2}).Node("Add", {"x"}, {"y"}).Output("y")),
              HasSubstr("input 1 is missing; Add needs 2 [onnx-bad-node]"));
  EXPECT_THAT(errors(OnnxGraph().Input("x", 14, {2}).Output("x")),
              HasSubstr("a tensor of complex64s; inputs are tensors of numbers or strings"));
  EXPECT_THAT(
      errors(OnnxGraph().Floats("w", {4}, {1, 2, 3}).Output("w")),
      HasSubstr(
          "'w' has 12 bytes of data, but its dimensions and type specify 16 [onnx-bad-tensor]"));
  EXPECT_THAT(errors(OnnxGraph()
                         .Input("x", 1, {2})
                         .Input("s", 7, {"k"})
                         .Node("Reshape", {"x", "s"}, {"y"})
                         .Output("y")),
              HasSubstr("only if the model declares one for 'y' [onnx-unsupported]"));
}

TEST(ReadOnnxTest, RejectsUnknownVersions) {
  OnnxModel m = Relu({2});
  m.ir_version = 2;
  EXPECT_THAT(Read(m.Bytes()).Errors(),
              HasSubstr("unsupported IR version 2; 3 to 14 are supported"));
  m = Relu({2});
  m.opset = 99;
  EXPECT_THAT(Read(m.Bytes()).Errors(), HasSubstr("[onnx-version]"));
}

// Every prefix of a model is rejected or read, without a crash.
TEST(ReadOnnxTest, RejectsTruncatedFiles) {
  OnnxModel m;
  m.Input("x", 1, {"n", 3, 4});
  m.Floats("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  m.Node("MatMul", {"x", "w"}, {"p"});
  m.Node("Softmax", {"p"}, {"y"}, {{"axis", int64_t{-1}}});
  m.Output("y", 1, {"n", 3, 2});
  const std::string bytes = m.Bytes();
  EXPECT_EQ(Read(bytes).Errors(), "");
  for (size_t size = 0; size < bytes.size(); ++size) {
    Read read(bytes.substr(0, size));
    EXPECT_TRUE(read.module || read.diags.has_errors()) << size;
  }
  EXPECT_THAT(Read(bytes.substr(0, bytes.size() - 1)).Errors(), HasSubstr("[onnx-malformed]"));
}

}  // namespace
}  // namespace lathe::onnx
