// Tests scales and zero points that blocks of elements share.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using testing::kFloat;
using testing::kInt8;
using testing::OnnxModel;
using testing::OnnxProgram;

TEST(QuantizedBlocksTest, HaveAZeroPointEach) {
  OnnxModel m;
  m.Input("q", kInt8, {2, 4});
  m.Input("scale", kFloat, {2, 2});
  m.Input("zero", kInt8, {2, 2});
  m.Node("DequantizeLinear", {"q", "scale", "zero"}, {"x"},
         {{"axis", int64_t{1}}, {"block_size", int64_t{2}}});
  m.Node("QuantizeLinear", {"x", "scale", "zero"}, {"again"},
         {{"axis", int64_t{1}}, {"block_size", int64_t{2}}});
  m.Output("x", kFloat, {2, 4}).Output("again", kInt8, {2, 4});
  const std::vector<double> elements = {1, 2, 3, 4, -5, -6, 7, 8};
  EXPECT_EQ(
      OnnxProgram(m.Bytes()).Run(
          {{{2, 4}, elements, "int8"}, {{2, 2}, {1, 2, 0.5, 4}}, {{2, 2}, {1, -1, 2, 3}, "int8"}}),
      "(2, 4): 0 1 8 10 -3.5 -4 16 20; (2, 4): 1 2 3 4 -5 -6 7 8");
}

// A tensor message of 4-bit integers, two of which share a byte.
std::string FourBits(const std::string& name, const std::vector<int64_t>& dims,
                     const std::string& bytes) {
  constexpr int64_t kInt4 = 22;
  testing::WireWriter tensor;
  for (const int64_t dim : dims) tensor.Varint(1, dim);
  tensor.Varint(2, kInt4).Bytes(8, name).Bytes(9, bytes);
  return tensor.bytes();
}

OnnxModel FourBitModel(const std::vector<int64_t>& scales, const std::vector<float>& values) {
  OnnxModel m;
  m.Input("x", kFloat, {2, 3});
  // Rows of 1 -2, 3 -4, 5 -8.
  m.Initializer(FourBits("w", {3, 2}, "\xe1\xc3\x85"));
  m.Floats("scale", scales, values);
  m.Node("DequantizeLinear", {"w", "scale"}, {"weights"},
         {{"axis", int64_t{0}}, {"block_size", int64_t{2}}});
  m.Node("MatMul", {"x", "weights"}, {"y"});
  m.Output("y", kFloat, {2, 2});
  return m;
}

TEST(QuantizedBlocksTest, ConstantsOfFourBitsStayPacked) {
  OnnxProgram program(FourBitModel({2, 2}, {1, 2, 10, 100}).Bytes());
  EXPECT_EQ(program.Run({{{2, 3}, {1, 0, 0, 1, 1, 1}}}), "(2, 2): 1 -4 54 -812");
}

TEST(QuantizedBlocksTest, ScalesHaveTheRankOfTheIntegers) {
  const OnnxProgram program(FourBitModel({2, 2, 1}, {1, 2, 10, 100}).Bytes());
  EXPECT_THAT(program.Errors(), ::testing::HasSubstr("the scale must have the rank of the input"));
}

// Two columns of 18 rows, all 1 and all -2, in blocks of 16 rows.
TEST(QuantizedBlocksTest, BytesOfMatMulNBitsBecomePackedIntegers) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 18});
  testing::WireWriter tensor;
  tensor.Varint(1, 2).Varint(1, 2).Varint(1, 8).Varint(2, testing::kUInt8).Bytes(8, "w");
  tensor.Bytes(9, std::string(16, '\x99') + std::string(16, '\x66'));
  m.Initializer(tensor.bytes());
  m.Floats("scales", {4}, {0.5, 2, 1, 0.25});
  m.Node("MatMulNBits", {"x", "w", "scales"}, {"y"},
         {{"K", int64_t{18}}, {"N", int64_t{2}}, {"bits", int64_t{4}}, {"block_size", int64_t{16}}},
         "com.microsoft");
  m.Output("y", kFloat, {1, 2});
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Text(), ::testing::HasSubstr("\"int4\""));
  EXPECT_EQ(program.Run({{{1, 18}, std::vector<double>(18, 1)}}), "(1, 2): 12 -33");
}

}  // namespace
}  // namespace lathe::onnx
