// Tests attention operators, their caches and the gated activation of feed-forward layers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kBool;
using testing::kFloat;
using testing::kInt64;
using testing::OnnxAttribute;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

// Three queries, whose scores are all 0, of the values 1, 2 and 4.
std::string Attended(const std::vector<OnnxAttribute>& attributes, const std::string& mask = "",
                     int64_t opset = 25) {
  OnnxModel m;
  m.opset = opset;
  for (const char* name : {"q", "k", "v"}) m.Input(name, kFloat, {"b", 1, 3, 1});
  std::vector<std::string> names = {"q", "k", "v"};
  std::vector<testing::OnnxArgument> arguments = {
      {{1, 1, 3, 1}, {0, 0, 0}}, {{1, 1, 3, 1}, {0, 0, 0}}, {{1, 1, 3, 1}, {1, 2, 4}}};
  if (mask == "none") {
    m.Input("mask", kBool, {3, 3});
    names.emplace_back("mask");
    arguments.push_back({{3, 3}, {0, 0, 0, 1, 0, 0, 1, 1, 0}, "bool"});
  } else if (mask == "row") {
    m.Input("mask", kBool, {3});
    names.emplace_back("mask");
    arguments.push_back({{3}, {0, 1, 1}, "bool"});
  } else if (mask == "lengths") {
    m.Input("lengths", kInt64, {"b"});
    names.insert(names.end(), {"", "", "", "lengths"});
    arguments.push_back({{1}, {2}, "int64"});
  }
  m.Node("Attention", names, {"y"}, attributes).Output("y");
  return OnnxProgram(m.Bytes()).Run(arguments);
}

TEST(OnnxAttentionTest, Windows) {
  const OnnxAttribute causal = {"is_causal", int64_t{1}};
  const auto left = [](int64_t size) { return OnnxAttribute{"left_window_size", size}; };
  const auto right = [](int64_t size) { return OnnxAttribute{"right_window_size", size}; };
  EXPECT_EQ(Attended({causal, left(0)}), "(1, 1, 3, 1): 1 2 4");
  EXPECT_EQ(Attended({causal, left(1)}), "(1, 1, 3, 1): 1 1.5 3");
  EXPECT_EQ(Attended({left(0), right(1)}), "(1, 1, 3, 1): 1.5 3 4");
  EXPECT_EQ(Attended({left(0), right(0)}, "row"), "(1, 1, 3, 1): 0 2 4");
  EXPECT_THAT(Attended({left(-2)}), HasSubstr("a window size must be -1 or not negative, got -2"));
}

// Queries without any key give zeros, and causal queries end at the last key.
TEST(OnnxAttentionTest, QueriesWithoutKeys) {
  EXPECT_EQ(Attended({}, "none", 23), "(1, 1, 3, 1): 0 1 1.5");
  EXPECT_EQ(Attended({{"is_causal", int64_t{1}}}, "lengths", 24), "(1, 1, 3, 1): 0 1 1.5");
  EXPECT_EQ(Attended({{"softmax_precision", int64_t{11}}}, "none", 23), "(1, 1, 3, 1): 0 1 1.5");
}

// Adds, or multiplies by, a constant list in a subgraph.
OnnxGraph Modifier(const std::string& op, const std::vector<float>& values) {
  OnnxGraph graph;
  graph.Input("in", kFloat, {}).Floats("c", {static_cast<int64_t>(values.size())}, values);
  graph.Node(op, {"in", "c"}, {"out"}).Output("out");
  return graph;
}

std::string Flexible(const std::vector<std::pair<std::string, OnnxGraph>>& graphs,
                     const std::vector<OnnxAttribute>& attributes = {}) {
  OnnxModel m;
  m.opsets = {{"ai.onnx.preview", 1}};
  m.Input("q", kFloat, {"b", 2, 1, 1}).Input("k", kFloat, {"b", 1, "s", 1});
  m.Input("v", kFloat, {"b", 1, "s", 1});
  m.Node("FlexAttention", {"q", "k", "v"}, {"y"}, graphs, attributes, "ai.onnx.preview");
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run(
      {{{1, 2, 1, 1}, {0, 1}}, {{1, 1, 2, 1}, {0, 200}}, {{1, 1, 2, 1}, {2, 4}}});
}

TEST(OnnxAttentionTest, SubgraphsModifyScoresAndProbabilities) {
  EXPECT_EQ(Flexible({}), "(1, 2, 1, 1): 3 4");
  EXPECT_EQ(Flexible({}, {{"scale", 0.0F}}), "(1, 2, 1, 1): 3 3");
  EXPECT_EQ(Flexible({{"score_mod", Modifier("Mul", {-1, -1})}}), "(1, 2, 1, 1): 3 2");
  EXPECT_EQ(Flexible({{"score_mod", Modifier("Add", {0, -900})}}), "(1, 2, 1, 1): 2 2");
  EXPECT_EQ(Flexible({{"prob_mod", Modifier("Mul", {2, 0})}}), "(1, 2, 1, 1): 2 0");
  EXPECT_EQ(Flexible({}, {{"softmax_precision", int64_t{10}}}), "(1, 2, 1, 1): 3 4");
  OnnxGraph two = Modifier("Mul", {2, 0});
  two.Output("c");
  EXPECT_THAT(Flexible({{"prob_mod", two}}), HasSubstr("'prob_mod' must have one input"));
  EXPECT_THAT(Flexible({{"score_mod", Modifier("Equal", {0, 0})}}),
              HasSubstr("of the element type of its input, float32"));
}

std::string Scattered(const std::string& mode, const std::vector<double>& places) {
  OnnxModel m;
  m.opset = 24;
  m.Input("past", kFloat, {"b", 3, 1}).Input("update", kFloat, {"b", "l", 1});
  m.Input("at", kInt64, {"b"});
  m.Node("TensorScatter", {"past", "update", "at"}, {"y"}, {{"mode", mode}}).Output("y");
  return OnnxProgram(m.Bytes()).Run(
      {{{2, 3, 1}, {0, 0, 0, 0, 0, 0}}, {{2, 2, 1}, {1, 2, 3, 4}}, {{2}, places, "int64"}});
}

TEST(OnnxAttentionTest, CachesAreUpdated) {
  EXPECT_EQ(Scattered("linear", {1, 0}), "(2, 3, 1): 0 1 2 3 4 0");
  EXPECT_EQ(Scattered("circular", {2, 4}), "(2, 3, 1): 2 0 1 0 3 4");
  EXPECT_THAT(Scattered("linear", {2, 0}), HasSubstr("index"));
  EXPECT_THAT(Scattered("linear", {-1, 0}), HasSubstr("index"));
  EXPECT_THAT(Scattered("round", {0, 0}), HasSubstr("'mode' must be linear or circular"));
  OnnxModel m;
  m.opset = 24;
  m.Input("past", testing::kInt8, {1, 3}).Input("update", testing::kInt8, {1, 2});
  m.Node("TensorScatter", {"past", "update"}, {"y"}, {{"axis", int64_t{1}}}).Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 3}, {7, 8, 9}, "int8"}, {{1, 2}, {1, 2}, "int8"}}),
            "(1, 3): 1 2 9");
}

// A query of NaN is not one without keys.
TEST(OnnxAttentionTest, QueriesThatAreNan) {
  OnnxModel m;
  m.opset = 24;
  m.Input("q", kFloat, {1, 1, 3, 1}).Input("k", kFloat, {1, 1, 1, 1});
  m.Input("v", kFloat, {1, 1, 1, 1}).Input("mask", kFloat, {3, 1});
  m.Node("Attention", {"q", "k", "v", "mask"}, {"y"}).Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 1, 3, 1}, {NAN, 1, 1}},
                                        {{1, 1, 1, 1}, {2}},
                                        {{1, 1, 1, 1}, {3}},
                                        {{3, 1}, {0, -INFINITY, 0}}}),
            "(1, 1, 3, 1): nan 0 3");
}

std::string Gated(const std::vector<OnnxAttribute>& attributes,
                  testing::OnnxDim width = int64_t{2}) {
  OnnxModel m;
  m.opset = 28;
  m.Input("a", kFloat, {2}).Input("b", kFloat, {std::move(width)});
  m.Node("SwiGLU", {"a", "b"}, {"y"}, attributes).Output("y");
  return OnnxProgram(m.Bytes()).Run({{{2}, {2, 4}}, {{2}, {3, 5}}});
}

TEST(OnnxAttentionTest, GatedActivation) {
  EXPECT_EQ(Gated({{"alpha", 0.0F}}), "(2,): 3 10");
  EXPECT_EQ(Gated({{"alpha", 0.0F}}, "n"), "(2,): 3 10");
  EXPECT_THAT(Gated({}), HasSubstr("(2,): 5.28478"));
  EXPECT_THAT(Gated({}, int64_t{1}), HasSubstr("both inputs must have the same shape"));
}

}  // namespace
}  // namespace lathe::onnx
