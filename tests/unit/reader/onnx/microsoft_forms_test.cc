// Tests com.microsoft's forms of standard operators with small models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_node_result.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxNodeResult;
using List = std::vector<int64_t>;

OnnxArgument StoredBytes(List shape, const std::vector<double>& elements) {
  return {std::move(shape), elements, "uint8"};
}
OnnxArgument OneReal(double value) { return {{}, {value}}; }
const OnnxArgument kOmitted = {};

TEST(MicrosoftFormsTest, ChannelsLast) {
  const OnnxArgument image = StoredBytes({1, 1, 2, 2}, {1, 3, 5, 7});
  EXPECT_EQ(OnnxNodeResult("NhwcMaxPool", {image}, {{"kernel_shape", List{1, 2}}}),
            "(1, 1, 1, 2): 5 7");
  EXPECT_EQ(
      OnnxNodeResult("QLinearAveragePool", {image, OneReal(2), kOmitted, OneReal(1), kOmitted},
                     {{"kernel_shape", List{1, 2}}, {"channels_last", int64_t{1}}}),
      "(1, 1, 1, 2): 6 10");
  const OnnxArgument kernel = {{1, 2, 1, 1}, {1, 2}, "int8"}, zero = {{}, {0}, "int8"};
  EXPECT_EQ(OnnxNodeResult("QLinearConv",
                           {image, OneReal(1), StoredBytes({}, {0}), kernel, OneReal(1), zero,
                            OneReal(1), StoredBytes({}, {1})},
                           {{"channels_last", int64_t{1}}}),
            "(1, 1, 2, 1): 8 20");
}

TEST(MicrosoftFormsTest, AttentionOfIntegers) {
  // The values are 2 * (1 - 0) * (4 - 1) + 0.5 and the same for 3 - 0.
  EXPECT_EQ(OnnxNodeResult("QAttention",
                           {StoredBytes({1, 2, 1}, {1, 3}),
                            {{1, 3}, {1, 1, 4}, "int8"},
                            {{3}, {0, 0, 0.5}},
                            OneReal(2),
                            OneReal(1),
                            kOmitted,
                            StoredBytes({}, {0}),
                            {{}, {1}, "int8"}},
                           {{"num_heads", int64_t{1}}}),
            "(1, 2, 1): 12.5 12.5");
}

TEST(MicrosoftFormsTest, FormsOfStandardOperators) {
  const OnnxArgument square = {{2, 2}, {1, 2, 3, 4}};
  EXPECT_EQ(OnnxNodeResult("Trilu", {square}, {{"upper", int64_t{0}}}), "(2, 2): 1 0 3 4");
  EXPECT_EQ(OnnxNodeResult("GatherND", {square, {{1, 2}, {1, 0}, "int64"}}), "(1,): 3");
  EXPECT_EQ(
      OnnxNodeResult("CDist", {square, {{1, 2}, {1, 0}}}, {{"metric", std::string("sqeuclidean")}}),
      "(2, 1): 4 20");
  EXPECT_EQ(OnnxNodeResult("CDist", {{{1, 2}, {3, 4}}, {{1, 2}, {0, 0}}},
                           {{"metric", std::string("euclidean")}}),
            "(1, 1): 5");
  EXPECT_THAT(OnnxNodeResult("CDist", {square, square}, {{"metric", std::string("cosine")}}),
              HasSubstr("supported: euclidean and sqeuclidean"));
  // In the order of the elements.
  EXPECT_EQ(OnnxNodeResult("Unique", {{{4}, {3, 1, 3, 2}}}, {}, 3),
            "(3,): 3 1 2; (4,): 0 1 0 2; (3,): 2 1 1");
}

TEST(MicrosoftFormsTest, RowsOfATableInBlocks) {
  // Rows of 16 elements of 4 bits, with one scale each; 8 is the zero point.
  std::vector<double> bytes(16, 0x88);
  bytes[8] = 0xA9;
  EXPECT_EQ(OnnxNodeResult("GatherBlockQuantized",
                           {StoredBytes({2, 8}, bytes), {{1}, {1}, "int64"}, {{2, 1}, {1, 0.5}}},
                           {{"bits", int64_t{4}}, {"block_size", int64_t{16}}}),
            "(1, 16): 0.5 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
  EXPECT_THAT(
      OnnxNodeResult("GatherBlockQuantized",
                     {StoredBytes({2, 8}, bytes), {{1}, {1}, "int64"}, {{2, 2}, {1, 1, 1, 1}}},
                     {{"bits", int64_t{4}}, {"block_size", int64_t{16}}}),
      HasSubstr("a scale for each block"));
}

// Ends of the visible keys, and begins: padding is on both sides.
TEST(MicrosoftFormsTest, AttentionWithPaddingBeforeTheKeys) {
  const auto attention = [](const std::vector<double>& mask) {
    const OnnxArgument x = {{1, 3, 1}, {1, 3, 5}}, weights = {{1, 3}, {0, 0, 1}};
    const OnnxArgument bias = {{3}, {0, 0, 0}};
    return OnnxNodeResult("Attention", {x, weights, bias, {{std::ssize(mask)}, mask, "int32"}},
                          {{"num_heads", int64_t{1}}});
  };
  EXPECT_EQ(attention({2, 1}), "(1, 3, 1): 3 3 3");
  EXPECT_EQ(attention({3, 1}), "(1, 3, 1): 4 4 4");
  EXPECT_EQ(attention({2}), "(1, 3, 1): 2 2 2");
  EXPECT_THAT(attention({2, 1, 0}), HasSubstr("needs dimension 0 of the mask to be 1"));
}

}  // namespace
}  // namespace lathe::onnx
