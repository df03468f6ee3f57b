// Tests operators that crop, assemble or sample images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using testing::kInt64;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

// Runs a node whose second input is the list `sizes`: constant, or an input of the model.
std::string WithSizes(const std::string& op, const testing::OnnxArgument& x,
                      const std::vector<List>& sizes, bool is_input,
                      const std::vector<OnnxAttribute>& attributes = {},
                      std::vector<testing::OnnxDim> dims = {}, List declared = {}) {
  OnnxModel m;
  if (dims.empty()) dims.assign(x.shape.begin(), x.shape.end());
  m.Input("x", kFloat, dims);
  std::vector<std::string> names = {"x"};
  std::vector<testing::OnnxArgument> arguments = {x};
  for (const List& list : sizes) {
    names.push_back("s" + std::to_string(names.size()));
    const auto length = static_cast<int64_t>(list.size());
    if (is_input) {
      m.Input(names.back(), kInt64, {length});
      arguments.push_back({{length}, {list.begin(), list.end()}, "int64"});
    } else {
      m.Ints(names.back(), {length}, list);
    }
  }
  m.Node(op, names, {"y"}, attributes);
  if (declared.empty()) m.Output("y");
  if (!declared.empty()) m.Output("y", kFloat, {declared.begin(), declared.end()});
  return OnnxProgram(m.Bytes()).Run(arguments);
}

TEST(OnnxImageOperatorsTest, AffineGrids) {
  const testing::OnnxArgument theta = {{1, 2, 3}, {1, 0, 1, 0, 1, 2}};
  for (const bool is_input : {false, true}) {
    const std::vector<List> size = {{1, 5, 1, 2}};
    EXPECT_EQ(WithSizes("AffineGrid", theta, size, is_input), "(1, 1, 2, 2): 0.5 2 1.5 2");
    EXPECT_EQ(WithSizes("AffineGrid", theta, size, is_input, {{"align_corners", int64_t{1}}}),
              "(1, 1, 2, 2): 0 1 2 1");
    EXPECT_EQ(WithSizes("AffineGrid", theta, size, is_input, {}, {"n", int64_t{2}, int64_t{3}}),
              "(1, 1, 2, 2): 0.5 2 1.5 2");
    EXPECT_EQ(WithSizes("AffineGrid", theta, size, is_input, {}, {}, {1, 1, 2, 2}),
              "(1, 1, 2, 2): 0.5 2 1.5 2");
    EXPECT_EQ(WithSizes("AffineGrid", theta, {{1, 5, 0, 2}}, is_input), "(1, 0, 2, 2): ");
    EXPECT_THAT(WithSizes("AffineGrid", theta, {{2, 5, 1, 2}}, is_input),
                HasSubstr("the batch of the size"));
    EXPECT_THAT(WithSizes("AffineGrid", theta, {{1, 5, 2}}, is_input),
                HasSubstr("'size' must have 4 or 5 entries, got 3"));
  }
  const testing::OnnxArgument solid = {{1, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5}};
  EXPECT_EQ(WithSizes("AffineGrid", solid, {{1, 1, 2, 1, 1}}, false),
            "(1, 2, 1, 1, 3): 0 0 4.5 0 0 5.5");
  EXPECT_THAT(WithSizes("AffineGrid", {{1, 2, 2}, {1, 0, 1, 0}}, {{1, 5, 1, 2}}, false),
              HasSubstr("must have the shape (N, 2, 3), as 'size' has 4 entries"));
  EXPECT_EQ(WithSizes("AffineGrid", theta, {{1, 5, 1, 2}}, false, {}, {"n", "rows", "columns"}),
            "(1, 1, 2, 2): 0.5 2 1.5 2");
}

TEST(OnnxImageOperatorsTest, CenteredCropsAndPads) {
  const testing::OnnxArgument x = {{5}, {1, 2, 3, 4, 5}};
  for (const bool is_input : {false, true}) {
    const auto run = [&](int64_t size, std::vector<testing::OnnxDim> dims = {}) {
      return WithSizes("CenterCropPad", x, {{size}}, is_input, {}, std::move(dims));
    };
    EXPECT_EQ(run(3), "(3,): 2 3 4");
    EXPECT_EQ(run(2), "(2,): 2 3");
    EXPECT_EQ(run(5), "(5,): 1 2 3 4 5");
    EXPECT_EQ(run(8), "(8,): 0 1 2 3 4 5 0 0");
    EXPECT_EQ(run(0), "(0,): ");
    EXPECT_EQ(run(2, {"n"}), "(2,): 2 3");
    EXPECT_EQ(run(8, {"n"}), "(8,): 0 1 2 3 4 5 0 0");
    EXPECT_EQ(WithSizes("CenterCropPad", {{2, 3}, {1, 2, 3, 4, 5, 6}}, {{1, 3}}, is_input,
                        {{"axes", List{-1, 0}}}),
              "(3, 1): 2 5 0");
  }
  EXPECT_THAT(WithSizes("CenterCropPad", x, {{3, 4}}, false), HasSubstr("2 entries for 1 axes"));
  EXPECT_THAT(WithSizes("CenterCropPad", x, {{-1}}, false), HasSubstr("must not be negative"));
}

TEST(OnnxImageOperatorsTest, CropsStrings) {
  OnnxModel m;
  m.Node("Constant", {}, {"x"}, {{"value_strings", std::vector<std::string>{"a", "bc", "d"}}});
  m.Ints("s", {1}, {1}).Ints("more", {1}, {3});
  m.Node("CenterCropPad", {"x", "s"}, {"one"}).Node("CenterCropPad", {"one", "more"}, {"y"});
  m.Node("Constant", {}, {"want"}, {{"value_strings", std::vector<std::string>{"", "bc", ""}}});
  m.Node("Equal", {"y", "want"}, {"same"}).Output("same");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}), "(3,): True True True");
}

TEST(OnnxImageOperatorsTest, ColumnsBecomeImages) {
  const testing::OnnxArgument x = {{1, 2, 2}, {1, 2, 10, 20}};
  for (const bool is_input : {false, true}) {
    EXPECT_EQ(WithSizes("Col2Im", x, {{1, 3}, {1, 2}}, is_input), "(1, 1, 1, 3): 1 12 20");
    EXPECT_EQ(WithSizes("Col2Im", x, {{1, 4}, {1, 2}}, is_input, {{"strides", List{1, 2}}}),
              "(1, 1, 1, 4): 1 10 2 20");
    EXPECT_EQ(WithSizes("Col2Im", x, {{1, 4}, {1, 2}}, is_input, {{"dilations", List{1, 2}}}),
              "(1, 1, 1, 4): 1 2 10 20");
    EXPECT_EQ(WithSizes("Col2Im", x, {{1, 1}, {1, 2}}, is_input, {{"pads", List{0, 1, 0, 1}}}),
              "(1, 1, 1, 1): 12");
    EXPECT_EQ(WithSizes("Col2Im", x, {{3}, {1}}, is_input, {{"pads", List{0, -1}}}).substr(0, 5),
              "model");
    EXPECT_EQ(WithSizes("Col2Im", x, {{1, 3}, {1, 2}}, is_input, {}, {"n", "c", "l"}),
              "(1, 1, 1, 3): 1 12 20");
  }
  EXPECT_THAT(WithSizes("Col2Im", x, {{1, 5}, {1, 2}}, false),
              HasSubstr("the image has 4 blocks, but the input has 2 columns"));
  EXPECT_THAT(WithSizes("Col2Im", x, {{1, 5}, {1, 2}}, true), HasSubstr("the number of blocks"));
  EXPECT_THAT(WithSizes("Col2Im", x, {{1, 4}, {1, 3}}, false),
              HasSubstr("columns of 2 elements do not consist of blocks of 3"));
}

std::string Pooled(const std::vector<double>& rois, List cells, float scale = 1) {
  OnnxModel m;
  m.opset = 13;
  m.Input("x", kFloat, {1, 1, "h", "w"}).Input("rois", kFloat, {"k", 5});
  m.Node("MaxRoiPool", {"x", "rois"}, {"y"},
         {{"pooled_shape", std::move(cells)}, {"spatial_scale", scale}});
  m.Output("y");
  const auto count = static_cast<int64_t>(rois.size()) / 5;
  return OnnxProgram(m.Bytes()).Run({{{1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}}, {{count, 5}, rois}});
}

TEST(OnnxImageOperatorsTest, MaximaOfRegions) {
  EXPECT_EQ(Pooled({0, 0, 0, 2, 1}, {1, 3}), "(1, 1, 1, 3): 4 5 6");
  EXPECT_EQ(Pooled({0, 0, 0, 2, 1}, {2, 2}), "(1, 1, 2, 2): 2 3 5 6");
  EXPECT_EQ(Pooled({0, 0, 0, 4, 2}, {1, 1}, 0.5F), "(1, 1, 1, 1): 6");
  EXPECT_EQ(Pooled({0, 0.5, 0, 0.5, 0}, {1, 1}), "(1, 1, 1, 1): 2");
  EXPECT_EQ(Pooled({0, 5, 5, 6, 6}, {1, 1}), "(1, 1, 1, 1): 0");
  EXPECT_EQ(Pooled({0, -2, -1, 0, 0}, {1, 3}), "(1, 1, 1, 3): 0 0 1");
  EXPECT_EQ(Pooled({0, -1e30, -1e30, 1e30, 1e30}, {1, 1}), "(1, 1, 1, 1): 6");
  EXPECT_EQ(Pooled({0, 2, 1, 0, 0}, {1, 1}), "(1, 1, 1, 1): 6");
  EXPECT_EQ(Pooled({}, {1, 1}), "(0, 1, 1, 1): ");
  EXPECT_THAT(Pooled({1, 0, 0, 2, 1}, {1, 1}), HasSubstr("is out of bounds"));
  EXPECT_THAT(Pooled({-1, 0, 0, 2, 1}, {1, 1}), HasSubstr("is out of bounds"));
  EXPECT_THAT(Pooled({}, {1}), HasSubstr("'pooled_shape' must have two entries"));
}

// As many samples per side of a cell as it has pixels, of which most may be beyond the image.
std::string Aligned(const std::string& mode, const std::vector<double>& region) {
  OnnxModel m;
  m.opset = 16;
  m.Input("x", kFloat, {1, 1, "h", "w"}).Input("rois", kFloat, {1, 4}).Ints("at", {1}, {0});
  m.Node("RoiAlign", {"x", "rois", "at"}, {"y"}, {{"mode", mode}}).Output("y");
  return OnnxProgram(m.Bytes()).Run({{{1, 1, 2, 2}, {4, 8, 12, 16}}, {{1, 4}, region}});
}

TEST(OnnxImageOperatorsTest, AdaptiveSamplesOfRegionsOfAnySize) {
  EXPECT_EQ(Aligned("avg", {0.5, 0.5, 1.5, 1.5}), "(1, 1, 1, 1): 10");
  // 8 by 8 samples, of which those at -0.5, 0.5 and 1.5 of each side are inside.
  EXPECT_EQ(Aligned("avg", {-3.5, -3.5, 4.5, 4.5}), "(1, 1, 1, 1): 1.40625");
  EXPECT_EQ(Aligned("max", {-3.5, -3.5, 4.5, 4.5}), "(1, 1, 1, 1): 16");
  EXPECT_EQ(Aligned("max", {-1e9, -1e9, 1e9, 1e9}).substr(0, 14), "(1, 1, 1, 1): ");
  EXPECT_EQ(Aligned("max", {1.5, 1.5, 0.5, 0.5}), "(1, 1, 1, 1): 0");
  EXPECT_EQ(Aligned("avg", {100, 100, 101, 101}), "(1, 1, 1, 1): 0");
}

// A grid of float16 between pixels of a wide image: 4 * (0.7 + 1) / 2 of it is computed in float32.
TEST(OnnxImageOperatorsTest, CoordinatesOfHalfPrecision) {
  OnnxModel m;
  m.opset = 16;
  m.Input("x", kFloat, {1, 1, 1, 5}).Input("grid", testing::kFloat16, {1, 1, 1, 2});
  m.Node("GridSample", {"x", "grid"}, {"y"}, {{"align_corners", int64_t{1}}}).Output("y");
  // The nearest float16 of 0.7 is 0.7001953125.
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run(
                {{{1, 1, 1, 5}, {0, 0, 0, 0, 256}}, {{1, 1, 1, 2}, {0.7, 0}, "float16"}}),
            "(1, 1, 1, 1): 102.5");
}

}  // namespace
}  // namespace lathe::onnx
