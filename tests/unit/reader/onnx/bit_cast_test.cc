// Tests BitCast between element types of each width.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

constexpr int64_t kUInt4 = 21, kInt4 = 22, kFloat4 = 23, kUInt2 = 25, kInt2 = 26;

std::string Recast(const std::string& dtype, int type, const std::vector<double>& values,
                   int64_t to) {
  OnnxModel m;
  m.opset = 26;
  m.Input("x", type, {"n"});
  m.Node("BitCast", {"x"}, {"y"}, {{"to", to}}).Output("y");
  return OnnxProgram(m.Bytes()).Run({{{static_cast<int64_t>(values.size())}, values, dtype}});
}

TEST(OnnxBitCastTest, KeepsTheBits) {
  EXPECT_EQ(Recast("float32", testing::kFloat, {1, -2}, testing::kInt32),
            "(2,): 1065353216 -1073741824");
  EXPECT_EQ(Recast("int32", testing::kInt32, {1065353216}, testing::kFloat), "(1,): 1");
  EXPECT_EQ(Recast("int64", testing::kInt64, {4607182418800017408}, 11), "(1,): 1");
  EXPECT_EQ(Recast("float16", testing::kFloat16, {1}, 4), "(1,): 15360");
  EXPECT_EQ(Recast("float16", testing::kFloat16, {1}, 16), "(1,): 0.0078125");
  EXPECT_EQ(Recast("int8", testing::kInt8, {-1}, testing::kUInt8), "(1,): 255");
  EXPECT_EQ(Recast("bool", testing::kBool, {0, 1}, testing::kUInt8), "(2,): 0 1");
  EXPECT_EQ(Recast("uint8", testing::kUInt8, {0, 3}, testing::kBool), "(2,): False True");
  EXPECT_EQ(Recast("float32", testing::kFloat, {}, testing::kInt32), "(0,): ");
  EXPECT_THAT(Recast("float32", testing::kFloat, {1}, testing::kInt64),
              HasSubstr("the input has 32 bits and int64 has 64"));
  EXPECT_THAT(Recast("float32", testing::kFloat, {1}, 14),
              HasSubstr("a bit cast to complex64 is not supported"));
}

// Casts to `from`, recasts as `to`, and casts back.
std::string Small(double value, int64_t from, int64_t to) {
  OnnxModel m;
  m.opset = 26;
  m.Input("x", testing::kFloat, {1});
  m.Node("Cast", {"x"}, {"a"}, {{"to", from}}).Node("BitCast", {"a"}, {"b"}, {{"to", to}});
  m.Node("Cast", {"b"}, {"y"}, {{"to", int64_t{testing::kFloat}}}).Output("y");
  return OnnxProgram(m.Bytes()).Run({{{1}, {value}}});
}

TEST(OnnxBitCastTest, OfFewerThanEightBits) {
  EXPECT_EQ(Small(-1, kInt4, kUInt4), "(1,): 15");
  EXPECT_EQ(Small(9, kUInt4, kInt4), "(1,): -7");
  EXPECT_EQ(Small(-1, kFloat4, kUInt4), "(1,): 10");
  EXPECT_EQ(Small(10, kUInt4, kFloat4), "(1,): -1");
  EXPECT_EQ(Small(3, kUInt2, kInt2), "(1,): -1");
  EXPECT_EQ(Small(1, 17, testing::kUInt8), "(1,): 56");
  EXPECT_EQ(Small(56, testing::kUInt8, 17), "(1,): 1");
  EXPECT_THAT(Small(1, kInt4, kInt2), HasSubstr("the input has 4 bits and int2 has 2"));
}

}  // namespace
}  // namespace lathe::onnx
