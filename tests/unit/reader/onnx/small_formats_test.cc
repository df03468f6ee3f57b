// Tests element types of at most 8 bits without a C type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using testing::kFloat;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using testing::WireWriter;

constexpr int kFloat8E4M3FN = 17, kFloat8E5M2 = 19, kFloat8E8M0 = 24, kFloat6E2M3 = 27,
              kFloat6E3M2 = 28;

OnnxAttribute To(int type) { return {"to", int64_t{type}}; }

// An initializer of raw bytes.
std::string RawTensor(const std::string& name, int type, int64_t count, const std::string& raw) {
  WireWriter tensor;
  tensor.Varint(1, count).Varint(2, type).Bytes(8, name).Bytes(9, raw);
  return tensor.bytes();
}

// Casts the numbers to the type and back.
std::string Rounded(int type, const std::vector<double>& numbers) {
  OnnxModel m;
  m.opset = 28;
  const auto count = static_cast<int64_t>(numbers.size());
  m.Input("x", kFloat, {count});
  m.Node("Cast", {"x"}, {"c"}, {To(type)}).Node("Cast", {"c"}, {"y"}, {To(kFloat)}).Output("y");
  return OnnxProgram(m.Bytes()).Run({{{count}, numbers}});
}

TEST(OnnxSmallFormatsTest, FloatsOfSixBits) {
  const std::vector<double> numbers = {0, 1, -1.5, 100, -INFINITY, 0.06, 0.0625, 0.19, NAN};
  EXPECT_EQ(Rounded(kFloat6E2M3, numbers), "(9,): 0 1 -1.5 7.5 -7.5 0 0 0.25 -0");
  EXPECT_EQ(Rounded(kFloat6E3M2, numbers), "(9,): 0 1 -1.5 28 -28 0.0625 0.0625 0.1875 -0");
}

// Four elements of six bits share three bytes.
TEST(OnnxSmallFormatsTest, ElementsThatCrossBytes) {
  OnnxModel m;
  m.opset = 28;
  m.Initializer(RawTensor("x", kFloat6E2M3, 7, std::string("\x00\xc2\x7e\xc1\x27\x02", 6)));
  m.Node("Cast", {"x"}, {"y"}, {To(kFloat)}).Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}), "(7,): 0 1 -1.5 7.5 0.125 7.5 -0.25");
}

TEST(OnnxSmallFormatsTest, ScalesOfPowersOfTwo) {
  OnnxModel m;
  m.opset = 24;
  m.Input("x", kFloat, {4});
  m.Initializer(RawTensor("scale", kFloat8E8M0, 2, "\x80\x81"));  // 2, 4
  m.Initializer(RawTensor("zero", testing::kInt8, 2, std::string(2, '\0')));
  const std::vector<OnnxAttribute> blocks = {{"axis", int64_t{0}}, {"block_size", int64_t{2}}};
  m.Node("QuantizeLinear", {"x", "scale", "zero"}, {"q"}, blocks);
  m.Node("DequantizeLinear", {"q", "scale"}, {"y"}, blocks).Output("q").Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{4}, {6, -4, 6, 20}}}), "(4,): 3 -2 2 5; (4,): 6 -4 8 20");
}

TEST(OnnxSmallFormatsTest, FloatsThatAreNoNumbers) {
  OnnxModel m;
  m.Initializer(RawTensor("x", kFloat8E5M2, 4, "\x7c\x7e\x3c\xfc"));
  m.Initializer(RawTensor("z", kFloat8E4M3FN, 2, "\x7f\x7e"));
  m.Node("IsNaN", {"x"}, {"a"}).Node("IsInf", {"x"}, {"b"}).Node("IsNaN", {"z"}, {"c"});
  m.Output("a").Output("b").Output("c");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}),
            "(4,): False True False False; (4,): True False False True; (2,): True False");
}

// A cast keeps the higher bits of negative numbers, and prints numbers, not their bytes.
TEST(OnnxSmallFormatsTest, CastsOfSmallNumbers) {
  constexpr int kUInt16 = 4, kInt4 = 22, kUInt4 = 21;
  OnnxModel m;
  m.opset = 21;
  m.Initializer(RawTensor("x", kInt4, 2, "\x8f"));              // -1, -8
  m.Initializer(RawTensor("f", kFloat8E4M3FN, 2, "\x38\xc0"));  // 1, -2
  m.Node("Cast", {"x"}, {"a"}, {To(kUInt16)}).Node("Cast", {"x"}, {"b"}, {To(testing::kInt64)});
  m.Node("Cast", {"x"}, {"u"}, {To(kUInt4)}).Node("Cast", {"u"}, {"c"}, {To(testing::kInt64)});
  m.Node("Cast", {"f"}, {"s"}, {To(testing::kString)}).Node("Cast", {"s"}, {"d"}, {To(kFloat)});
  m.Output("a").Output("b").Output("c").Output("d");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}),
            "(2,): 65535 65528; (2,): -1 -8; (2,): 15 8; (2,): 1 -2");
}

TEST(OnnxSmallFormatsTest, MovesKeepTheFormat) {
  OnnxModel m;
  m.Initializer(RawTensor("x", kFloat8E4M3FN, 2, "\x38\xc0"));  // 1, -2
  m.Ints("pads", {2}, {1, 2});
  m.Node("Pad", {"x", "pads"}, {"p"}).Node("Optional", {"p"}, {"o"});
  m.Node("OptionalGetElement", {"o"}, {"e"}).Node("OptionalHasElement", {"o"}, {"h"});
  m.Node("Cast", {"e"}, {"y"}, {To(kFloat)}).Output("y").Output("h");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}), "(5,): 0 1 -2 0 0; (): True");
}

}  // namespace
}  // namespace lathe::onnx
