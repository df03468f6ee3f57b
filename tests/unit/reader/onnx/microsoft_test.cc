// Tests each of com.microsoft's operators with a small model whose results are easy to verify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

// Adds a node whose inputs are all inputs of the model; one without shape and elements is omitted.
std::string ResultOf(const std::string& op, const std::vector<OnnxArgument>& inputs,
                     const std::vector<OnnxAttribute>& attributes = {}, int outputs = 1,
                     const std::string& domain = "com.microsoft") {
  constexpr std::pair<const char*, int> kTypes[] = {{"float32", 1}, {"uint8", 2}, {"int8", 3},
                                                    {"int32", 6},   {"int64", 7}, {"bool", 9}};
  OnnxModel model;
  model.opsets = {{"com.microsoft", 1}};
  std::vector<std::string> names, results;
  std::vector<OnnxArgument> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool none = inputs[i].shape.empty() && inputs[i].elements.empty();
    names.push_back(none ? "" : "x" + std::to_string(i));
    if (none) continue;
    int type = 0;
    for (const auto& [name, number] : kTypes) type = inputs[i].dtype == name ? number : type;
    model.Input(names.back(), type,
                std::vector<testing::OnnxDim>(inputs[i].shape.begin(), inputs[i].shape.end()));
    given.push_back(inputs[i]);
  }
  for (int i = 0; i < outputs; ++i) results.push_back("y" + std::to_string(i));
  model.Node(op, names, results, attributes, domain);
  for (const std::string& result : results) model.Output(result);
  return OnnxProgram(model.Bytes()).Run(given);
}

OnnxArgument Bytes(List shape, const std::vector<double>& elements) {
  return {std::move(shape), elements, "uint8"};
}
OnnxArgument OneElement(double value) { return {{}, {value}}; }
const OnnxArgument kNone = {};

TEST(MicrosoftOperatorsTest, QuantisedSumsAndProducts) {
  // 0.5 * {2, 4, 255} + {1, 1, 1}, from 10 on; 128.5 is rounded to even.
  EXPECT_EQ(ResultOf("QLinearAdd",
                     {Bytes({3}, {2, 4, 255}), OneElement(0.5), kNone, Bytes({3}, {1, 1, 1}),
                      OneElement(1), kNone, OneElement(1), Bytes({}, {10})}),
            "(3,): 12 13 138");
  EXPECT_EQ(
      ResultOf("QLinearMul", {Bytes({2}, {4, 6}), OneElement(0.5), Bytes({}, {2}),
                              Bytes({2}, {3, 5}), OneElement(2), kNone, OneElement(1), kNone}),
      "(2,): 6 20");
  EXPECT_EQ(ResultOf("QLinearConcat",
                     {OneElement(0.5), Bytes({}, {1}), Bytes({2}, {1, 2}), OneElement(1),
                      Bytes({}, {0}), Bytes({1}, {9}), OneElement(0.5), Bytes({}, {4})},
                     {{"axis", int64_t{0}}}),
            "(3,): 3 5 6");
  EXPECT_EQ(ResultOf("QLinearWhere", {{{2}, {1, 0}, "bool"},
                                      Bytes({2}, {8, 8}),
                                      OneElement(1),
                                      Bytes({}, {0}),
                                      Bytes({2}, {3, 3}),
                                      OneElement(2),
                                      Bytes({}, {1}),
                                      OneElement(0.5),
                                      Bytes({}, {0})}),
            "(2,): 16 8");
}

TEST(MicrosoftOperatorsTest, QuantisedFunctions) {
  EXPECT_EQ(ResultOf("QLinearSigmoid", {Bytes({2}, {5, 255}), OneElement(0.5), Bytes({}, {5}),
                                        OneElement(1.0 / 256), Bytes({}, {0})}),
            "(2,): 128 255");
  EXPECT_EQ(ResultOf("QLinearLeakyRelu",
                     {Bytes({2}, {0, 14}), OneElement(1), Bytes({}, {10}), OneElement(1),
                      Bytes({}, {20})},
                     {{"alpha", 0.5f}}),
            "(2,): 15 24");
  EXPECT_EQ(ResultOf("QLinearSoftmax",
                     {Bytes({1, 2}, {7, 7}), OneElement(1), Bytes({}, {0}), OneElement(1.0 / 256),
                      Bytes({}, {0})},
                     {{"axis", int64_t{-1}}, {"opset", int64_t{13}}}),
            "(1, 2): 128 128");
}

TEST(MicrosoftOperatorsTest, QuantisedPools) {
  const OnnxArgument image = Bytes({1, 1, 2, 2}, {1, 3, 5, 7});
  EXPECT_EQ(ResultOf("QLinearGlobalAveragePool",
                     {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {3})}),
            "(1, 1, 1, 1): 11");
  EXPECT_EQ(ResultOf("QLinearGlobalAveragePool",
                     {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {3})},
                     {{"channels_last", int64_t{1}}}),
            "(1, 1, 1, 2): 9 13");
  EXPECT_EQ(ResultOf("QLinearAveragePool", {image, OneElement(2), kNone, OneElement(1), kNone},
                     {{"kernel_shape", List{1, 2}}}),
            "(1, 1, 2, 1): 4 12");
  EXPECT_EQ(ResultOf("QLinearReduceMean",
                     {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {0})},
                     {{"axes", List{3}}, {"keepdims", int64_t{0}}}),
            "(1, 1, 2): 4 12");
}

TEST(MicrosoftOperatorsTest, ProductsOfIntegers) {
  const OnnxArgument a = Bytes({1, 2}, {3, 5}), b = {{1, 2}, {2, -1}, "int8"};
  const OnnxArgument zero = {{}, {0}, "int8"};
  EXPECT_EQ(
      ResultOf("QGemm",
               {a, OneElement(0.5), Bytes({}, {1}), b, OneElement(2), zero, {{1}, {7}, "int32"}},
               {{"transB", int64_t{1}}}),
      "(1, 1): 7");
  EXPECT_EQ(ResultOf("QGemm",
                     {a, OneElement(0.5), Bytes({}, {1}), b, OneElement(2), zero, kNone,
                      OneElement(0.5), Bytes({}, {100})},
                     {{"transB", int64_t{1}}}),
            "(1, 1): 100");
  EXPECT_EQ(ResultOf("MatMulIntegerToFloat", {a,
                                              {{2, 1}, {2, -1}, "int8"},
                                              OneElement(0.5),
                                              OneElement(2),
                                              Bytes({}, {1}),
                                              zero,
                                              {{1}, {0.5}}}),
            "(1, 1): 0.5");
  EXPECT_EQ(ResultOf("DynamicQuantizeMatMul",
                     {{{1, 2}, {0, 255}}, {{2, 1}, {1, 2}, "int8"}, OneElement(0.5)}),
            "(1, 1): 255");
  // Weights 0, 1, 0, 1 ... of half a unit.
  EXPECT_EQ(ResultOf("MatMulNBits",
                     {{{1, 16}, std::vector<double>(16, 1)},
                      Bytes({1, 1, 8}, std::vector<double>(8, 0x98)),
                      {{1}, {0.5}}},
                     {{"K", int64_t{16}},
                      {"N", int64_t{1}},
                      {"bits", int64_t{4}},
                      {"block_size", int64_t{16}}}),
            "(1, 1): 4");
  EXPECT_EQ(ResultOf("MatMulNBits",
                     {{{1, 16}, std::vector<double>(16, 1)},
                      Bytes({1, 1, 8}, std::vector<double>(8, 0x98)),
                      {{1}, {0.5}},
                      Bytes({1}, {0x07})},
                     {{"K", int64_t{16}},
                      {"N", int64_t{1}},
                      {"bits", int64_t{4}},
                      {"block_size", int64_t{16}}}),
            "(1, 1): 12");
}

TEST(MicrosoftOperatorsTest, FusedProducts) {
  EXPECT_EQ(ResultOf("FusedConv", {{{1, 1, 3}, {1, 2, 3}}, {{1, 1, 1}, {2}}, {{1}, {-5}}},
                     {{"activation", "Relu"}}),
            "(1, 1, 3): 0 0 1");
  EXPECT_EQ(
      ResultOf("FusedConv", {{{1, 1, 2}, {1, 2}}, {{1, 1, 1}, {2}}, kNone, {{1, 1, 2}, {10, 20}}},
               {{"activation", "Clip"}, {"activation_params", std::vector<float>{0, 13}}}),
      "(1, 1, 2): 12 13");
  EXPECT_EQ(ResultOf("FusedMatMul", {{{1, 2}, {1, 2}}, {{1, 2}, {3, 4}}},
                     {{"transB", int64_t{1}}, {"alpha", 0.5f}}),
            "(1, 1): 5.5");
  // A with the row axis before the batch axis: two batches of one row each.
  EXPECT_EQ(ResultOf("FusedMatMul", {{{1, 2, 2}, {1, 2, 3, 4}}, {{2, 2, 1}, {1, 1, 10, 10}}},
                     {{"transBatchA", int64_t{1}}}),
            "(2, 1, 1): 3 70");
  EXPECT_EQ(ResultOf("FusedGemm", {{{1, 2}, {1, 2}}, {{2, 1}, {3, 4}}, {{1}, {-30}}},
                     {{"activation", "LeakyRelu"}, {"activation_alpha", 0.5f}}),
            "(1, 1): -9.5");
  EXPECT_THAT(ResultOf("FusedGemm", {{{1, 2}, {1, 2}}, {{2, 1}, {3, 4}}}, {{"activation", "Elu"}}),
              HasSubstr("unsupported activation 'Elu'; supported: Relu"));
}

TEST(MicrosoftOperatorsTest, Gelus) {
  const OnnxArgument x = {{2}, {0, 20}};
  EXPECT_EQ(ResultOf("Gelu", {x}), "(2,): 0 20");
  EXPECT_EQ(ResultOf("QuickGelu", {x}), "(2,): 0 20");
  EXPECT_EQ(ResultOf("FastGelu", {x, {{2}, {0, 1}}}), "(2,): 0 21");
  EXPECT_EQ(ResultOf("BiasGelu", {x, {{2}, {30, -20}}}), "(2,): 30 0");
  EXPECT_EQ(ResultOf("BiasAdd", {x, {{2}, {1, 2}}, {{2}, {3, 4}}}), "(2,): 4 26");
}

TEST(MicrosoftOperatorsTest, NormalisationsOfSums) {
  const OnnxAttribute exact = {"epsilon", 0.0f};
  EXPECT_EQ(ResultOf("SkipLayerNormalization",
                     {{{1, 1, 2}, {1, 1}}, {{1, 1, 2}, {0, 2}}, {{2}, {1, 2}}, {{2}, {0, 10}}},
                     {exact}, 4),
            "(1, 1, 2): -1 12; (1, 1, 1): 2; (1, 1, 1): 1; (1, 1, 2): 1 3");
  EXPECT_EQ(
      ResultOf("SkipSimplifiedLayerNormalization",
               {{{1, 1, 2}, {1, -3}}, {{1, 1, 2}, {0, 0}}, {{2}, {1, 2}}, {{2}, {1, 1}}}, {exact}),
      "(1, 1, 2): 1 -2");
  EXPECT_EQ(
      ResultOf("SimplifiedLayerNormalization", {{{1, 2}, {2, -2}}, {{2}, {1, 3}}}, {exact}, 1, ""),
      "(1, 2): 1 -3");
  EXPECT_EQ(ResultOf("EmbedLayerNormalization",
                     {{{1, 2}, {1, 0}, "int32"},
                      {{1, 2}, {0, 1}, "int32"},
                      {{2, 2}, {1, 3, 5, 9}},
                      {{2, 2}, {0, 0, 1, 1}},
                      {{2, 2}, {0, 0, 2, 2}},
                      {{2}, {1, 1}},
                      {{2}, {0, 100}},
                      {{1, 2}, {1, 0}, "int32"}},
                     {exact}, 3),
            "(1, 2, 2): -1 101 -1 101; (1,): 1; (1, 2, 2): 5 9 4 6");
}

TEST(MicrosoftOperatorsTest, AttentionInItsForms) {
  // Zero queries weight all keys equally: the result is the mean of the values.
  const OnnxAttribute one = {"num_heads", int64_t{1}};
  EXPECT_EQ(ResultOf("MultiHeadAttention",
                     {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}}, {one}),
            "(1, 1, 1): 3");
  // Only the first key is visible.
  EXPECT_EQ(
      ResultOf(
          "MultiHeadAttention",
          {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}, kNone, {{1}, {1}, "int32"}},
          {one}),
      "(1, 1, 1): 2");
  EXPECT_EQ(ResultOf("MultiHeadAttention",
                     {{{1, 1, 1}, {0}},
                      {{1, 1, 1}, {5}},
                      {{1, 1, 1}, {2}},
                      {{3}, {0, 1, 10}},
                      kNone,
                      kNone,
                      {{1, 1, 1, 1}, {7}},
                      {{1, 1, 1, 1}, {4}}},
                     {one}, 3),
            "(1, 1, 1): 8; (1, 1, 2, 1): 7 6; (1, 1, 2, 1): 4 12");
  EXPECT_EQ(ResultOf("Attention", {{{1, 2, 1}, {1, 3}}, {{1, 3}, {0, 1, 2}}, {{3}, {0, 0, 1}}},
                     {one, {"unidirectional", int64_t{1}}}, 2),
            "(1, 2, 1): 3 5; (2, 1, 1, 2, 1): 1 3 3 7");
  EXPECT_THAT(ResultOf("MultiHeadAttention", {{{1, 1, 1, 3, 1}, {0, 0, 0}}}, {one}),
              HasSubstr("packed queries, keys and values are not supported"));
}

TEST(MicrosoftOperatorsTest, GroupedQueriesWithACache) {
  // Two query heads share a key head; one key is cached, the new one is appended.
  EXPECT_EQ(ResultOf("GroupQueryAttention",
                     {{{1, 1, 2}, {0, 0}},
                      {{1, 1, 1}, {5}},
                      {{1, 1, 1}, {4}},
                      {{1, 1, 3, 1}, {1, 9, 9}},
                      {{1, 1, 3, 1}, {2, 9, 9}},
                      {{1}, {1}, "int32"},
                      {{1}, {2}, "int32"}},
                     {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}}, 3),
            "(1, 1, 2): 3 3; (1, 1, 3, 1): 1 5 0; (1, 1, 3, 1): 2 4 0");
  // Without a cache a query sees itself and its predecessors.
  EXPECT_EQ(ResultOf("GroupQueryAttention",
                     {{{1, 2, 1}, {0, 0}},
                      {{1, 2, 1}, {5, 6}},
                      {{1, 2, 1}, {4, 8}},
                      kNone,
                      kNone,
                      {{1}, {1}, "int32"},
                      {{1}, {2}, "int32"}},
                     {{"num_heads", int64_t{1}}, {"kv_num_heads", int64_t{1}}}),
            "(1, 2, 1): 4 6");
}

TEST(MicrosoftOperatorsTest, RotaryEmbedding) {
  // Rotates by a quarter at position 1, not at position 0.
  const OnnxArgument cosines = {{2, 1}, {1, 0}}, sines = {{2, 1}, {0, 1}};
  EXPECT_EQ(ResultOf("RotaryEmbedding",
                     {{{1, 2, 2}, {1, 2, 1, 2}}, {{1, 2}, {0, 1}, "int64"}, cosines, sines}),
            "(1, 2, 2): 1 2 -2 1");
  EXPECT_EQ(ResultOf("RotaryEmbedding", {{{1, 1, 2}, {1, 2}}, {{1}, {1}, "int64"}, cosines, sines},
                     {{"interleaved", int64_t{1}}}),
            "(1, 1, 2): -2 1");
}

// Values and sizes of inputs are checked before the kernels use them.
TEST(MicrosoftOperatorsTest, IncompatibleInputs) {
  const std::vector<OnnxAttribute> grouped = {{"num_heads", int64_t{1}},
                                              {"kv_num_heads", int64_t{1}}};
  const auto cached = [&](double last) {
    return ResultOf("GroupQueryAttention",
                    {{{1, 1, 1}, {0}},
                     {{1, 1, 1}, {5}},
                     {{1, 1, 1}, {4}},
                     {{1, 1, 2, 1}, {1, 9}},
                     {{1, 1, 2, 1}, {2, 9}},
                     {{1}, {last}, "int32"},
                     {{1}, {2}, "int32"}},
                    grouped);
  };
  EXPECT_EQ(cached(1), "(1, 1, 1): 3");
  EXPECT_THAT(cached(2), HasSubstr("lengths from the new keys on to the room of the cache"));
  EXPECT_THAT(cached(-1), HasSubstr("lengths from the new keys on to the room of the cache"));
  const OnnxAttribute one = {"num_heads", int64_t{1}};
  const auto masked = [&](OnnxArgument mask) {
    return ResultOf("MultiHeadAttention",
                    {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}, kNone, mask},
                    {one});
  };
  EXPECT_EQ(masked({{1, 2}, {1, 0}, "int32"}), "(1, 1, 1): 2");
  EXPECT_THAT(masked({{1, 1}, {1}, "int32"}), HasSubstr("dimension 1 of the mask to be 2"));
  EXPECT_THAT(masked({{3}, {1, 1, 1}, "int32"}), HasSubstr("dimension 0 of the mask to be 1"));
  EXPECT_THAT(ResultOf("Attention", {{{1, 1, 1}, {1}}, {{1, 3}, {0, 1, 2}}, {{3}, {0, 0, 1}}},
                       {one, {"qkv_hidden_sizes", List{1, 1, 9}}}),
              HasSubstr("'qkv_hidden_sizes' is out of range: 9"));
  const auto embedded = [&](double word, OnnxArgument places) {
    return ResultOf("EmbedLayerNormalization", {{{1, 2}, {word, 0}, "int32"},
                                                kNone,
                                                {{2, 2}, {1, 3, 5, 9}},
                                                places,
                                                kNone,
                                                {{2}, {1, 1}},
                                                {{2}, {0, 0}}});
  };
  const OnnxArgument places = {{2, 2}, {0, 0, 1, 1}};
  EXPECT_THAT(embedded(1, places), HasSubstr("(1, 2, 2): -1 1 -1 1"));
  EXPECT_THAT(embedded(2, places), Not(HasSubstr("(1, 2, 2)")));
  EXPECT_THAT(embedded(1, {{1, 2}, {0, 0}}), HasSubstr("needs a place for each word"));
  EXPECT_THAT(embedded(1, {{2, 1}, {0, 0}}), HasSubstr("the width of the places to be 2"));
  const auto turned = [&](OnnxArgument cosines, OnnxArgument sines, OnnxArgument at) {
    return ResultOf("RotaryEmbedding", {{{1, 1, 1, 2}, {1, 2}}, at, cosines, sines});
  };
  const OnnxArgument table = {{2, 1}, {1, 0}}, at = {{1, 1}, {1}, "int64"};
  EXPECT_EQ(turned(table, table, at), "(1, 1, 1, 2): 0 0");
  EXPECT_THAT(turned(table, {{1, 1}, {0}}, at), HasSubstr("dimension 0 of the sines to be 2"));
  EXPECT_THAT(turned({{1, 2}, {1, 0}}, {{1, 2}, {1, 0}}, at),
              HasSubstr("the tables have 2 angles, but the head size is 2"));
  EXPECT_THAT(turned(table, table, {{1, 2}, {1, 1}, "int64"}),
              HasSubstr("dimension 1 of the positions to be 1"));
  const OnnxArgument none = {{2, 0}, {}};
  EXPECT_THAT(ResultOf("RotaryEmbedding", {{{1, 1, 2}, {1, 2}}, at, none, none}),
              HasSubstr("the tables of cosines and sines must not be empty"));
}

TEST(MicrosoftOperatorsTest, QuantizationMatchesOnnx) {
  EXPECT_EQ(ResultOf("QuantizeLinear", {{{2}, {1, 3}}, OneElement(2), Bytes({}, {7})}),
            "(2,): 7 9");
  EXPECT_EQ(ResultOf("DequantizeLinear", {Bytes({2}, {7, 9}), OneElement(2), Bytes({}, {7})}),
            "(2,): 0 4");
}

}  // namespace
}  // namespace lathe::onnx
