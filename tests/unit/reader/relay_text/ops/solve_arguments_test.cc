// Tests the types of arguments that an operator determines.
#include "generator/reader/relay_text/ops/solve_arguments.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::relay {
namespace {

class SolveArgumentsTest : public ::testing::Test {
 protected:
  ir::StructInfoRef Tensor(const std::vector<int64_t>& sizes,
                           ir::DType dtype = ir::DType::Float(32)) {
    std::vector<ir::PrimRef> dims;
    for (const int64_t size : sizes) dims.push_back(context_.Int(size));
    return context_.Tensor(dims, dtype);
  }

  // The arguments as text; "?" for those that stay unknown.
  std::vector<std::string> Solve(const std::string& op, ir::AttrMap attrs,
                                 std::vector<ir::StructInfoRef> args) {
    const OpRow* row = FindOpRow(op);
    for (const AttrRow& attr : row->attrs) attrs.emplace(attr.name, attr.default_value);
    std::vector<std::string> texts;
    for (const ir::StructInfoRef info : SolveArguments(context_, *row, attrs, std::move(args))) {
      texts.push_back(info == nullptr ? "?" : ir::ToString(info));
    }
    return texts;
  }

  std::string Text(const std::vector<int64_t>& sizes, ir::DType dtype = ir::DType::Float(32)) {
    return ir::ToString(Tensor(sizes, dtype));
  }

  ir::Context context_;
};

TEST_F(SolveArgumentsTest, WeightsOfConvolutionsAndProducts) {
  const ir::AttrList size = {3, 5};
  const ir::StructInfoRef image = Tensor({1, 8, 9, 9});
  const ir::AttrMap attrs = {{"channels", 4}, {"kernel_size", size}, {"groups", 2}};
  EXPECT_EQ(Solve("nn.conv2d", attrs, {image, nullptr})[1], Text({4, 4, 3, 5}));
  EXPECT_EQ(Solve("nn.conv2d_transpose", attrs, {image, nullptr})[1], Text({8, 2, 3, 5}));
  EXPECT_EQ(Solve("nn.conv2d", {{"kernel_size", size}}, {image, nullptr})[1], "?");
  const ir::AttrMap last = {
      {"channels", 4}, {"kernel_size", size}, {"data_layout", "NHWC"}, {"kernel_layout", "HWIO"}};
  EXPECT_EQ(Solve("nn.conv2d", last, {Tensor({1, 9, 9, 8}), nullptr})[1], Text({3, 5, 8, 4}));
  EXPECT_EQ(Solve("nn.dense", {{"units", 7}}, {Tensor({2, 3}), nullptr})[1], Text({7, 3}));
  EXPECT_EQ(Solve("nn.dense", {}, {Tensor({2, 3}), nullptr})[1], "?");
  EXPECT_EQ(Solve("nn.dense", {{"units", 7}}, {nullptr, nullptr})[1], "?");
}

TEST_F(SolveArgumentsTest, ParametersPerChannel) {
  const ir::StructInfoRef image = Tensor({1, 8, 9, 9});
  for (const std::string& text :
       Solve("nn.batch_norm", {}, {image, nullptr, nullptr, nullptr, nullptr})) {
    if (text != Text({1, 8, 9, 9})) EXPECT_EQ(text, Text({8}));
  }
  EXPECT_EQ(Solve("nn.layer_norm", {}, {image, nullptr, nullptr})[2], Text({9}));
  EXPECT_EQ(Solve("nn.bias_add", {{"axis", -3}}, {image, nullptr})[1], Text({8}));
  EXPECT_EQ(Solve("nn.prelu", {}, {image, nullptr})[1], Text({8}));
  EXPECT_EQ(Solve("add", {}, {image, nullptr})[1], "?");
}

TEST_F(SolveArgumentsTest, ScalesAndZeroPoints) {
  const std::string scale = Text({}), zero = Text({}, ir::DType::Int(32));
  const ir::StructInfoRef x = Tensor({2, 3}, ir::DType::Int(8));
  const auto dense = Solve("qnn.dense", {}, {x, x, nullptr, nullptr, nullptr, nullptr});
  EXPECT_EQ(dense[2], zero);
  EXPECT_EQ(dense[5], scale);
  const auto requantize = Solve("qnn.requantize", {}, {x, nullptr, nullptr, nullptr, nullptr});
  EXPECT_EQ(requantize[1], scale);
  EXPECT_EQ(requantize[4], zero);
}

}  // namespace
}  // namespace lathe::relay
