// Tests scales and zero points that blocks of elements share.
#include <string>
#include <vector>

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

}  // namespace
}  // namespace lathe::onnx
