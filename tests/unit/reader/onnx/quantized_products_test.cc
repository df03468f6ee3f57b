// Tests QLinearConv and QLinearMatMul: float products, converted to integers later, for constant
// scales; integer sums otherwise, and with as_defined.
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxModel;
using testing::OnnxProgram;
using testing::WireWriter;

using testing::kInt32;
using testing::kInt8;
using testing::kUInt8;

std::string TensorMessage(const std::string& name, int type, const std::vector<int64_t>& dims,
                          const std::string& raw) {
  WireWriter tensor;
  for (int64_t dim : dims) tensor.Varint(1, dim);
  return tensor.Varint(2, type).Bytes(8, name).Bytes(9, raw).bytes();
}

// Scales of 1/2, 1/4 and 1/2, zero points of 10, 0 and 3; weights are 1, 2, -3, 4 in a matrix.
OnnxModel Product(const std::string& op, bool known_weights) {
  OnnxModel m;
  const bool image = op == "QLinearConv";
  const std::vector<int64_t> x =
      image ? std::vector<int64_t>{1, 2, 1, 1} : std::vector<int64_t>{1, 2};
  const std::vector<int64_t> w =
      image ? std::vector<int64_t>{2, 2, 1, 1} : std::vector<int64_t>{2, 2};
  m.Input("x", kUInt8, {x.begin(), x.end()});
  if (known_weights) {
    m.Initializer(TensorMessage("w", kInt8, w, "\x01\x02\xfd\x04"));
  } else {
    m.Input("w", kInt8, {w.begin(), w.end()});
  }
  m.Floats("half", {}, {0.5});
  m.Floats("quarter", {}, {0.25});
  m.Initializer(TensorMessage("ten", kUInt8, {}, "\x0a"));
  m.Initializer(TensorMessage("none", kInt8, {}, std::string(1, '\0')));
  m.Initializer(TensorMessage("three", kUInt8, {}, "\x03"));
  std::vector<std::string> inputs = {"x", "half", "ten", "w", "quarter", "none", "half", "three"};
  if (image) {
    m.Initializer(TensorMessage("bias", kInt32, {2}, std::string("\x04\0\0\0\xf8\xff\xff\xff", 8)));
    inputs.push_back("bias");
  }
  m.Node(op, inputs, {"y"});
  m.Output("y");
  return m;
}

TEST(QuantizedProductsTest, ConstantWeightsAreInteger) {
  for (const char* op : {"QLinearConv", "QLinearMatMul"}) {
    EXPECT_THAT(OnnxProgram(Product(op, true).Bytes()).Text(), HasSubstr("R.dequantize")) << op;
    ReadOptions defined;
    defined.as_defined = true;
    EXPECT_THAT(OnnxProgram(Product(op, true).Bytes(), defined).Text(),
                Not(HasSubstr("R.dequantize")));
    EXPECT_THAT(OnnxProgram(Product(op, false).Bytes()).Text(), Not(HasSubstr("R.dequantize")));
  }
}

// (x - 10) is 10 and 20: sums of 50 and 50 in a column of the convolution, -50 and 100 of the
// matrix, each times 1/4.
TEST(QuantizedProductsTest, GiveTheSameInAllForms) {
  ReadOptions defined;
  defined.as_defined = true;
  const testing::OnnxArgument x = {{1, 2, 1, 1}, {20, 30}, "uint8"},
                              row = {{1, 2}, {20, 30}, "uint8"};
  const testing::OnnxArgument w = {{2, 2, 1, 1}, {1, 2, -3, 4}, "int8"},
                              square = {{2, 2}, {1, 2, -3, 4}, "int8"};
  // 54 / 4 rounds half to even.
  const char* image = "(1, 2, 1, 1): 17 13";
  EXPECT_EQ(OnnxProgram(Product("QLinearConv", true).Bytes()).Run({x}), image);
  EXPECT_EQ(OnnxProgram(Product("QLinearConv", true).Bytes(), defined).Run({x}), image);
  EXPECT_EQ(OnnxProgram(Product("QLinearConv", false).Bytes()).Run({x, w}), image);
  const char* matrix = "(1, 2): 0 28";
  EXPECT_EQ(OnnxProgram(Product("QLinearMatMul", true).Bytes()).Run({row}), matrix);
  EXPECT_EQ(OnnxProgram(Product("QLinearMatMul", true).Bytes(), defined).Run({row}), matrix);
  EXPECT_EQ(OnnxProgram(Product("QLinearMatMul", false).Bytes()).Run({row, square}), matrix);
}

}  // namespace
}  // namespace lathe::onnx
