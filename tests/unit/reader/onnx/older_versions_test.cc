// Tests operators in the forms of older operator sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

// Runs one node of floats of operator set `opset`.
std::string OldResult(int64_t opset, const std::string& op, const std::vector<OnnxArgument>& inputs,
                      const std::vector<OnnxAttribute>& attributes = {}) {
  OnnxModel m;
  m.opset = opset;
  std::vector<std::string> names;
  for (const OnnxArgument& input : inputs) {
    names.push_back("x" + std::to_string(names.size()));
    m.Input(names.back(), kFloat, {input.shape.begin(), input.shape.end()});
  }
  m.Node(op, names, {"y"}, attributes);
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run(inputs);
}

TEST(OlderVersionsTest, SlopesWerePerChannelBeforeVersion7) {
  const OnnxArgument x = {{1, 2, 2}, {-1, -2, -3, 4}}, slopes = {{2}, {10, 100}};
  EXPECT_EQ(OldResult(6, "PRelu", {x, slopes}), "(1, 2, 2): -10 -20 -300 4");
  EXPECT_EQ(OldResult(1, "PRelu", {x, slopes}), "(1, 2, 2): -10 -20 -300 4");
  EXPECT_EQ(OldResult(6, "PRelu", {x, {{1}, {10}}}), "(1, 2, 2): -10 -20 -30 4");
  EXPECT_EQ(OldResult(7, "PRelu", {x, slopes}), "(1, 2, 2): -10 -200 -30 4");
}

TEST(OlderVersionsTest, CastsNamedTheType) {
  const OnnxArgument x = {{2}, {1.7, -2.2}};
  EXPECT_EQ(OldResult(1, "Cast", {x}, {{"to", std::string("INT32")}}), "(2,): 1 -2");
  EXPECT_EQ(OldResult(5, "Cast", {x}, {{"to", std::string("UINT64")}}).substr(0, 6), "(2,): ");
  EXPECT_THAT(OldResult(1, "Cast", {x}, {{"to", std::string("COMPLEX64")}}),
              HasSubstr("a cast to undefineds"));
  EXPECT_EQ(OldResult(6, "Cast", {x}, {{"to", int64_t{6}}}), "(2,): 1 -2");
}

TEST(OlderVersionsTest, UpsampleHadOneScalePerAttribute) {
  const OnnxArgument image = {{1, 1, 1, 2}, {1, 2}};
  EXPECT_EQ(OldResult(1, "Upsample", {image}, {{"height_scale", 2.0F}, {"width_scale", 2.0F}}),
            "(1, 1, 2, 4): 1 1 2 2 1 1 2 2");
  EXPECT_EQ(OldResult(7, "Upsample", {image}, {{"scales", std::vector<float>{1, 1, 1, 2}}}),
            "(1, 1, 1, 4): 1 1 2 2");
}

TEST(OlderVersionsTest, OrdersOfNormsWereFloats) {
  const OnnxArgument x = {{1, 1, 2}, {3, 4}};
  EXPECT_EQ(OldResult(1, "GlobalLpPool", {x}, {{"p", 2.0F}}), "(1, 1, 1): 5");
  EXPECT_EQ(OldResult(1, "LpPool", {x}, {{"p", 1.0F}, {"kernel_shape", List{2}}}), "(1, 1, 1): 7");
  EXPECT_EQ(OldResult(2, "GlobalLpPool", {x}, {{"p", int64_t{2}}}), "(1, 1, 1): 5");
}

// ONNX leaves the nearest element open; ONNX Runtime takes the next one of an axis that shrinks.
TEST(OlderVersionsTest, ResizeTookTheNextElementOfAnAxisThatShrinks) {
  const OnnxArgument image = {{1, 1, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}};
  OnnxModel m;
  m.opset = 10;
  m.Input("x", kFloat, {int64_t{1}, int64_t{1}, int64_t{4}, int64_t{2}});
  m.Floats("scales", {4}, {1, 1, 0.6F, 1.7F});
  m.Node("Resize", {"x", "scales"}, {"y"});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({image}), "(1, 1, 2, 3): 0 0 1 4 4 5");
}

TEST(OlderVersionsTest, NormalizationOfEachElement) {
  const OnnxArgument x = {{2, 1, 2}, {1, 2, 3, 4}}, scale = {{1, 2}, {1, 10}};
  const OnnxArgument zeros = {{1, 2}, {0, 0}}, ones = {{1, 2}, {1, 1}};
  EXPECT_EQ(OldResult(7, "BatchNormalization", {x, scale, zeros, zeros, ones},
                      {{"spatial", int64_t{0}}, {"epsilon", 0.0F}}),
            "(2, 1, 2): 1 20 3 40");
  const OnnxArgument one = {{1}, {1}}, none = {{1}, {0}};
  EXPECT_EQ(OldResult(9, "BatchNormalization", {{{3}, {1, 2, 3}}, {{1}, {2}}, none, none, one},
                      {{"epsilon", 0.0F}}),
            "(3,): 2 4 6");
}

}  // namespace
}  // namespace lathe::onnx
