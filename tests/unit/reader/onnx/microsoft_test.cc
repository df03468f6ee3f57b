// Tests each of com.microsoft's operators with a small model whose results are easy to verify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_node_result.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxNodeResult;
using List = std::vector<int64_t>;

OnnxArgument Bytes(List shape, const std::vector<double>& elements) {
  return {std::move(shape), elements, "uint8"};
}
OnnxArgument OneElement(double value) { return {{}, {value}}; }
const OnnxArgument kNone = {};

TEST(MicrosoftOperatorsTest, QuantisedSumsAndProducts) {
  // 0.5 * {2, 4, 255} + {1, 1, 1}, from 10 on; 128.5 is rounded to even.
  EXPECT_EQ(OnnxNodeResult("QLinearAdd",
                           {Bytes({3}, {2, 4, 255}), OneElement(0.5), kNone, Bytes({3}, {1, 1, 1}),
                            OneElement(1), kNone, OneElement(1), Bytes({}, {10})}),
            "(3,): 12 13 138");
  EXPECT_EQ(OnnxNodeResult("QLinearMul",
                           {Bytes({2}, {4, 6}), OneElement(0.5), Bytes({}, {2}), Bytes({2}, {3, 5}),
                            OneElement(2), kNone, OneElement(1), kNone}),
            "(2,): 6 20");
  EXPECT_EQ(OnnxNodeResult("QLinearConcat",
                           {OneElement(0.5), Bytes({}, {1}), Bytes({2}, {1, 2}), OneElement(1),
                            Bytes({}, {0}), Bytes({1}, {9}), OneElement(0.5), Bytes({}, {4})},
                           {{"axis", int64_t{0}}}),
            "(3,): 3 5 6");
  EXPECT_EQ(OnnxNodeResult("QLinearWhere", {{{2}, {1, 0}, "bool"},
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
  EXPECT_EQ(OnnxNodeResult("QLinearSigmoid", {Bytes({2}, {5, 255}), OneElement(0.5), Bytes({}, {5}),
                                              OneElement(1.0 / 256), Bytes({}, {0})}),
            "(2,): 128 255");
  EXPECT_EQ(OnnxNodeResult("QLinearLeakyRelu",
                           {Bytes({2}, {0, 14}), OneElement(1), Bytes({}, {10}), OneElement(1),
                            Bytes({}, {20})},
                           {{"alpha", 0.5f}}),
            "(2,): 15 24");
  EXPECT_EQ(OnnxNodeResult("QLinearSoftmax",
                           {Bytes({1, 2}, {7, 7}), OneElement(1), Bytes({}, {0}),
                            OneElement(1.0 / 256), Bytes({}, {0})},
                           {{"axis", int64_t{-1}}, {"opset", int64_t{13}}}),
            "(1, 2): 128 128");
}

TEST(MicrosoftOperatorsTest, QuantisedPools) {
  const OnnxArgument image = Bytes({1, 1, 2, 2}, {1, 3, 5, 7});
  EXPECT_EQ(OnnxNodeResult("QLinearGlobalAveragePool",
                           {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {3})}),
            "(1, 1, 1, 1): 11");
  EXPECT_EQ(OnnxNodeResult("QLinearGlobalAveragePool",
                           {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {3})},
                           {{"channels_last", int64_t{1}}}),
            "(1, 1, 1, 2): 9 13");
  EXPECT_EQ(
      OnnxNodeResult("QLinearAveragePool", {image, OneElement(2), kNone, OneElement(1), kNone},
                     {{"kernel_shape", List{1, 2}}}),
      "(1, 1, 2, 1): 4 12");
  EXPECT_EQ(OnnxNodeResult("QLinearReduceMean",
                           {image, OneElement(2), Bytes({}, {0}), OneElement(1), Bytes({}, {0})},
                           {{"axes", List{3}}, {"keepdims", int64_t{0}}}),
            "(1, 1, 2): 4 12");
}

TEST(MicrosoftOperatorsTest, ProductsOfIntegers) {
  const OnnxArgument a = Bytes({1, 2}, {3, 5}), b = {{1, 2}, {2, -1}, "int8"};
  const OnnxArgument zero = {{}, {0}, "int8"};
  EXPECT_EQ(OnnxNodeResult(
                "QGemm",
                {a, OneElement(0.5), Bytes({}, {1}), b, OneElement(2), zero, {{1}, {7}, "int32"}},
                {{"transB", int64_t{1}}}),
            "(1, 1): 7");
  EXPECT_EQ(OnnxNodeResult("QGemm",
                           {a, OneElement(0.5), Bytes({}, {1}), b, OneElement(2), zero, kNone,
                            OneElement(0.5), Bytes({}, {100})},
                           {{"transB", int64_t{1}}}),
            "(1, 1): 100");
  EXPECT_EQ(OnnxNodeResult("MatMulIntegerToFloat", {a,
                                                    {{2, 1}, {2, -1}, "int8"},
                                                    OneElement(0.5),
                                                    OneElement(2),
                                                    Bytes({}, {1}),
                                                    zero,
                                                    {{1}, {0.5}}}),
            "(1, 1): 0.5");
  EXPECT_EQ(OnnxNodeResult("DynamicQuantizeMatMul",
                           {{{1, 2}, {0, 255}}, {{2, 1}, {1, 2}, "int8"}, OneElement(0.5)}),
            "(1, 1): 255");
  // Weights 0, 1, 0, 1 ... of half a unit.
  EXPECT_EQ(OnnxNodeResult("MatMulNBits",
                           {{{1, 16}, std::vector<double>(16, 1)},
                            Bytes({1, 1, 8}, std::vector<double>(8, 0x98)),
                            {{1}, {0.5}}},
                           {{"K", int64_t{16}},
                            {"N", int64_t{1}},
                            {"bits", int64_t{4}},
                            {"block_size", int64_t{16}}}),
            "(1, 1): 4");
  EXPECT_EQ(OnnxNodeResult("MatMulNBits",
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
  EXPECT_EQ(OnnxNodeResult("FusedConv", {{{1, 1, 3}, {1, 2, 3}}, {{1, 1, 1}, {2}}, {{1}, {-5}}},
                           {{"activation", "Relu"}}),
            "(1, 1, 3): 0 0 1");
  EXPECT_EQ(OnnxNodeResult(
                "FusedConv", {{{1, 1, 2}, {1, 2}}, {{1, 1, 1}, {2}}, kNone, {{1, 1, 2}, {10, 20}}},
                {{"activation", "Clip"}, {"activation_params", std::vector<float>{0, 13}}}),
            "(1, 1, 2): 12 13");
  EXPECT_EQ(OnnxNodeResult("FusedMatMul", {{{1, 2}, {1, 2}}, {{1, 2}, {3, 4}}},
                           {{"transB", int64_t{1}}, {"alpha", 0.5f}}),
            "(1, 1): 5.5");
  // A with the row axis before the batch axis: two batches of one row each.
  EXPECT_EQ(OnnxNodeResult("FusedMatMul", {{{1, 2, 2}, {1, 2, 3, 4}}, {{2, 2, 1}, {1, 1, 10, 10}}},
                           {{"transBatchA", int64_t{1}}}),
            "(2, 1, 1): 3 70");
  EXPECT_EQ(OnnxNodeResult("FusedGemm", {{{1, 2}, {1, 2}}, {{2, 1}, {3, 4}}, {{1}, {-30}}},
                           {{"activation", "LeakyRelu"}, {"activation_alpha", 0.5f}}),
            "(1, 1): -9.5");
  EXPECT_THAT(
      OnnxNodeResult("FusedGemm", {{{1, 2}, {1, 2}}, {{2, 1}, {3, 4}}}, {{"activation", "Elu"}}),
      HasSubstr("unsupported activation 'Elu'; supported: Relu"));
}

TEST(MicrosoftOperatorsTest, Gelus) {
  const OnnxArgument x = {{2}, {0, 20}};
  EXPECT_EQ(OnnxNodeResult("Gelu", {x}), "(2,): 0 20");
  EXPECT_EQ(OnnxNodeResult("QuickGelu", {x}), "(2,): 0 20");
  EXPECT_EQ(OnnxNodeResult("FastGelu", {x, {{2}, {0, 1}}}), "(2,): 0 21");
  EXPECT_EQ(OnnxNodeResult("BiasGelu", {x, {{2}, {30, -20}}}), "(2,): 30 0");
  EXPECT_EQ(OnnxNodeResult("BiasAdd", {x, {{2}, {1, 2}}, {{2}, {3, 4}}}), "(2,): 4 26");
}

TEST(MicrosoftOperatorsTest, NormalisationsOfSums) {
  const OnnxAttribute exact = {"epsilon", 0.0f};
  EXPECT_EQ(
      OnnxNodeResult("SkipLayerNormalization",
                     {{{1, 1, 2}, {1, 1}}, {{1, 1, 2}, {0, 2}}, {{2}, {1, 2}}, {{2}, {0, 10}}},
                     {exact}, 4),
      "(1, 1, 2): -1 12; (1, 1, 1): 2; (1, 1, 1): 1; (1, 1, 2): 1 3");
  EXPECT_EQ(OnnxNodeResult(
                "SkipSimplifiedLayerNormalization",
                {{{1, 1, 2}, {1, -3}}, {{1, 1, 2}, {0, 0}}, {{2}, {1, 2}}, {{2}, {1, 1}}}, {exact}),
            "(1, 1, 2): 1 -2");
  EXPECT_EQ(OnnxNodeResult("SimplifiedLayerNormalization", {{{1, 2}, {2, -2}}, {{2}, {1, 3}}},
                           {exact}, 1, ""),
            "(1, 2): 1 -3");
  EXPECT_EQ(OnnxNodeResult("EmbedLayerNormalization",
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
  EXPECT_EQ(OnnxNodeResult("MultiHeadAttention",
                           {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}}, {one}),
            "(1, 1, 1): 3");
  // Only the first key is visible.
  EXPECT_EQ(
      OnnxNodeResult(
          "MultiHeadAttention",
          {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}, kNone, {{1}, {1}, "int32"}},
          {one}),
      "(1, 1, 1): 2");
  EXPECT_EQ(OnnxNodeResult("MultiHeadAttention",
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
  EXPECT_EQ(
      OnnxNodeResult("Attention", {{{1, 2, 1}, {1, 3}}, {{1, 3}, {0, 1, 2}}, {{3}, {0, 0, 1}}},
                     {one, {"unidirectional", int64_t{1}}}, 2),
      "(1, 2, 1): 3 5; (2, 1, 1, 2, 1): 1 3 3 7");
  EXPECT_THAT(OnnxNodeResult("MultiHeadAttention", {{{1, 1, 1, 3, 1}, {0, 0, 0}}}, {one}),
              HasSubstr("packed queries, keys and values are not supported"));
}

TEST(MicrosoftOperatorsTest, GroupedQueriesWithACache) {
  // Two query heads share a key head; one key is cached, the new one is appended.
  EXPECT_EQ(OnnxNodeResult("GroupQueryAttention",
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
  EXPECT_EQ(OnnxNodeResult("GroupQueryAttention",
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

TEST(MicrosoftOperatorsTest, GroupedQueriesWithPackedInputsBiasAndSinks) {
  const std::vector<OnnxAttribute> grouped = {{"num_heads", int64_t{1}},
                                              {"kv_num_heads", int64_t{1}}};
  const OnnxArgument two = {{1}, {1}, "int32"}, total = {{1}, {2}, "int32"};
  // Queries, keys and values of each row are adjacent.
  EXPECT_EQ(OnnxNodeResult(
                "GroupQueryAttention",
                {{{1, 2, 3}, {0, 5, 4, 0, 6, 8}}, kNone, kNone, kNone, kNone, two, total}, grouped),
            "(1, 2, 1): 4 6");
  // A bias selects the first key; a sink of the same score halves the result.
  const OnnxArgument q = {{1, 2, 1}, {0, 0}}, k = {{1, 2, 1}, {5, 6}}, v = {{1, 2, 1}, {4, 8}};
  EXPECT_EQ(OnnxNodeResult("GroupQueryAttention",
                           {q,
                            k,
                            v,
                            kNone,
                            kNone,
                            two,
                            total,
                            kNone,
                            kNone,
                            kNone,
                            {{1, 1, 2, 2}, {0, 0, 0, -1000}}},
                           grouped),
            "(1, 2, 1): 4 4");
  EXPECT_EQ(OnnxNodeResult("GroupQueryAttention",
                           {q,
                            k,
                            {{1, 2, 1}, {4, 5}},
                            kNone,
                            kNone,
                            two,
                            total,
                            kNone,
                            kNone,
                            kNone,
                            kNone,
                            {{1}, {0}}},
                           grouped),
            "(1, 2, 1): 2 3");
  std::vector<OnnxAttribute> smooth = grouped;
  smooth.push_back({"smooth_softmax", int64_t{1}});
  EXPECT_EQ(OnnxNodeResult("GroupQueryAttention",
                           {q, k, {{1, 2, 1}, {4, 5}}, kNone, kNone, two, total}, smooth),
            "(1, 2, 1): 2 3");
  std::vector<OnnxAttribute> scores = grouped;
  scores.push_back({"qk_output", int64_t{1}});
  EXPECT_THAT(OnnxNodeResult("GroupQueryAttention", {q, k, v, kNone, kNone, two, total}, scores),
              HasSubstr("'qk_output' is not supported"));
}

// An empty cache is none: the lengths of a padded prompt are less than its rows.
TEST(MicrosoftOperatorsTest, PaddedPromptWithAnEmptyCache) {
  const OnnxArgument q = {{2, 2, 1}, {0, 0, 0, 0}}, v = {{2, 2, 1}, {1, 9, 2, 4}};
  const OnnxArgument empty = {{2, 1, 0, 1}, {}}, ends = {{2}, {0, 1}, "int32"};
  const OnnxArgument total = {{}, {2}, "int32"};
  const std::string result =
      OnnxNodeResult("GroupQueryAttention", {q, q, v, empty, empty, ends, total},
                     {{"num_heads", int64_t{1}}, {"kv_num_heads", int64_t{1}}}, 3);
  EXPECT_EQ(result.substr(0, 14), "(2, 2, 1): 1 1") << result;
  EXPECT_THAT(result, HasSubstr(" 2 3; (2, 1, 2, 1): 0 0 0 0; (2, 1, 2, 1): 1 9 2 4"));
}

TEST(MicrosoftOperatorsTest, RotaryEmbedding) {
  // Rotates by a quarter at position 1, not at position 0.
  const OnnxArgument cosines = {{2, 1}, {1, 0}}, sines = {{2, 1}, {0, 1}};
  EXPECT_EQ(OnnxNodeResult("RotaryEmbedding",
                           {{{1, 2, 2}, {1, 2, 1, 2}}, {{1, 2}, {0, 1}, "int64"}, cosines, sines}),
            "(1, 2, 2): 1 2 -2 1");
  EXPECT_EQ(
      OnnxNodeResult("RotaryEmbedding", {{{1, 1, 2}, {1, 2}}, {{1}, {1}, "int64"}, cosines, sines},
                     {{"interleaved", int64_t{1}}}),
      "(1, 1, 2): -2 1");
}

// Values and sizes of inputs are checked before the kernels use them.
TEST(MicrosoftOperatorsTest, IncompatibleInputs) {
  const std::vector<OnnxAttribute> grouped = {{"num_heads", int64_t{1}},
                                              {"kv_num_heads", int64_t{1}}};
  const auto cached = [&](double last) {
    return OnnxNodeResult("GroupQueryAttention",
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
    return OnnxNodeResult("MultiHeadAttention",
                          {{{1, 1, 1}, {0}}, {{1, 2, 1}, {5, 6}}, {{1, 2, 1}, {2, 4}}, kNone, mask},
                          {one});
  };
  EXPECT_EQ(masked({{1, 2}, {1, 0}, "int32"}), "(1, 1, 1): 2");
  EXPECT_THAT(masked({{1, 1}, {1}, "int32"}), HasSubstr("dimension 1 of the mask to be 2"));
  EXPECT_THAT(masked({{3}, {1, 1, 1}, "int32"}), HasSubstr("dimension 0 of the mask to be 1"));
  EXPECT_THAT(OnnxNodeResult("Attention", {{{1, 1, 1}, {1}}, {{1, 3}, {0, 1, 2}}, {{3}, {0, 0, 1}}},
                             {one, {"qkv_hidden_sizes", List{1, 1, 9}}}),
              HasSubstr("'qkv_hidden_sizes' is out of range: 9"));
  const auto embedded = [&](double word, OnnxArgument places) {
    return OnnxNodeResult("EmbedLayerNormalization", {{{1, 2}, {word, 0}, "int32"},
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
    return OnnxNodeResult("RotaryEmbedding", {{{1, 1, 1, 2}, {1, 2}}, at, cosines, sines});
  };
  const OnnxArgument table = {{2, 1}, {1, 0}}, at = {{1, 1}, {1}, "int64"};
  EXPECT_EQ(turned(table, table, at), "(1, 1, 1, 2): 0 0");
  EXPECT_THAT(turned(table, {{1, 1}, {0}}, at), HasSubstr("dimension 0 of the sines to be 2"));
  EXPECT_THAT(turned({{1, 2}, {1, 0}}, {{1, 2}, {1, 0}}, at),
              HasSubstr("the tables have 2 angles, but the head size is 2"));
  EXPECT_THAT(turned(table, table, {{1, 2}, {1, 1}, "int64"}),
              HasSubstr("dimension 1 of the positions to be 1"));
  const OnnxArgument none = {{2, 0}, {}};
  EXPECT_THAT(OnnxNodeResult("RotaryEmbedding", {{{1, 1, 2}, {1, 2}}, at, none, none}),
              HasSubstr("the tables of cosines and sines must not be empty"));
}

TEST(MicrosoftOperatorsTest, QuantizationMatchesOnnx) {
  EXPECT_EQ(OnnxNodeResult("QuantizeLinear", {{{2}, {1, 3}}, OneElement(2), Bytes({}, {7})}),
            "(2,): 7 9");
  EXPECT_EQ(OnnxNodeResult("DequantizeLinear", {Bytes({2}, {7, 9}), OneElement(2), Bytes({}, {7})}),
            "(2,): 0 4");
}

}  // namespace
}  // namespace lathe::onnx
