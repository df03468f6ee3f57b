// Tests that attributes of another type than the operator's are errors of their node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using testing::OnnxAttribute;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using testing::WireWriter;

std::string ErrorOf(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<OnnxAttribute>& attributes) {
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{2}, int64_t{2}});
  m.Node(op, inputs, {"y"}, attributes);
  m.Output("y");
  return OnnxProgram(m.Bytes()).Errors();
}

TEST(AttributeTypesTest, WrongTypesNameBoth) {
  EXPECT_THAT(ErrorOf("LeakyRelu", {"x"}, {{"alpha", int64_t{1}}}),
              HasSubstr("attribute 'alpha' is an integer, but must be a float [onnx-bad-node]"));
  EXPECT_THAT(ErrorOf("Softmax", {"x"}, {{"axis", 1.0F}}),
              HasSubstr("attribute 'axis' is a float, but must be an integer [onnx-bad-node]"));
  EXPECT_THAT(ErrorOf("Transpose", {"x"}, {{"perm", int64_t{0}}}),
              HasSubstr("attribute 'perm' is an integer, but must be a list of integers"));
  EXPECT_THAT(ErrorOf("Gelu", {"x"}, {{"approximate", int64_t{0}}}),
              HasSubstr("attribute 'approximate' is an integer, but must be a string"));
  EXPECT_THAT(ErrorOf("Constant", {}, {{"value_floats", std::vector<int64_t>{1}}}),
              HasSubstr("'value_floats' is a list of integers, but must be a list of floats"));
  EXPECT_THAT(ErrorOf("Constant", {}, {{"value_strings", std::string("a")}}),
              HasSubstr("'value_strings' is a string, but must be a list of strings"));
  EXPECT_THAT(ErrorOf("Constant", {}, {{"value", 1.0F}}),
              HasSubstr("'value' is a float, but must be a tensor"));
  EXPECT_THAT(ErrorOf("Constant", {}, {{"sparse_value", 1.0F}}),
              HasSubstr("'sparse_value' is a float, but must be a sparse tensor"));
  EXPECT_THAT(ErrorOf("Loop", {"", ""}, {{"body", std::string("b")}}),
              HasSubstr("'body' is a string, but must be a graph"));
}

TEST(AttributeTypesTest, ATypeIsRequired) {
  const auto leaky = [](int64_t type) {
    OnnxModel m;
    m.Input("x", kFloat, {int64_t{2}});
    WireWriter attribute;
    attribute.Bytes(1, "alpha").Float(2, 0.5F);
    if (type != 0) attribute.Varint(20, type);
    WireWriter node;
    node.Bytes(1, "x").Bytes(2, "y").Bytes(4, "LeakyRelu").Bytes(5, attribute.bytes());
    m.Message(1, node.bytes());
    m.Output("y");
    return OnnxProgram(m.Bytes()).Errors();
  };
  EXPECT_EQ(leaky(1), "");
  EXPECT_THAT(leaky(0), HasSubstr("attribute 'alpha' is of no type, but must be a float"));
  EXPECT_THAT(leaky(99), HasSubstr("attribute 'alpha' is of an unknown type"));
}

}  // namespace
}  // namespace lathe::onnx
