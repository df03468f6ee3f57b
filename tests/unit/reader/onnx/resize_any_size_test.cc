// Tests that an image of any size is resized as one of a constant size.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using testing::kFloat;
using testing::OnnxDim;
using testing::OnnxModel;
using testing::OnnxProgram;

std::string ResizeModel(const std::string& mode, const OnnxDim& from, int64_t to) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 1, from});
  m.Ints("sizes", {3}, {1, 1, to});
  m.Node("Resize", {"x", "", "", "sizes"}, {"y"},
         {{"mode", mode},
          {"coordinate_transformation_mode", std::string("asymmetric")},
          {"antialias", int64_t{1}}});
  m.Output("y");
  return m.Bytes();
}

TEST(ResizeOfAnySizeTest, HasTheWindowsOfConstantSizes) {
  for (const char* mode : {"linear", "cubic"}) {
    for (int64_t to : {1, 2, 5}) {
      OnnxProgram any(ResizeModel(mode, "n", to));
      ASSERT_EQ(any.Errors(), "");
      for (int64_t from : {1, 4, 9}) {
        std::vector<double> elements;
        for (int64_t i = 0; i < from; ++i) elements.push_back(static_cast<double>((i * 7) % 5));
        EXPECT_EQ(any.Run({{{1, 1, from}, elements}}),
                  OnnxProgram(ResizeModel(mode, from, to)).Run({{{1, 1, from}, elements}}))
            << mode << " from " << from << " to " << to;
      }
    }
  }
  OnnxProgram program(ResizeModel("linear", 4, 1));
  EXPECT_EQ(program.Run({{{1, 1, 4}, {0, -1.75, -0.25, 1.25}}}), "(1, 1, 1): -0.28125");
}

// One of the sizes is 1 only at run time, where a position is 0 by definition and not 0 / 0.
TEST(ResizeOfAnySizeTest, AlignsCornersOfSizesThatAreKnownAtRunTime) {
  for (const char* placing : {"align_corners", "pytorch_half_pixel"}) {
    OnnxModel m;
    m.Input("x", kFloat, {1, std::string("n"), 2});
    m.Input("scales", kFloat, {3});
    m.Node("Resize", {"x", "", "scales"}, {"y"},
           {{"mode", std::string("linear")},
            {"coordinate_transformation_mode", std::string(placing)}});
    m.Output("y");
    OnnxProgram program(m.Bytes());
    ASSERT_EQ(program.Errors(), "");
    EXPECT_EQ(program.Run({{{1, 1, 2}, {1, 4}}, {{3}, {1, 1, 2}}}),
              placing == std::string("align_corners") ? "(1, 1, 4): 1 2 3 4"
                                                      : "(1, 1, 4): 1 1.75 3.25 4");
  }
}

// The list of scales has as many entries as axes, also if its length is dynamic.
TEST(ResizeOfAnySizeTest, TakesScalesOfDynamicLength) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 2});
  m.Input("scales", kFloat, {std::string("k")});
  m.Node("Resize", {"x", "", "scales"}, {"y"}, {{"mode", std::string("nearest")}});
  m.Output("y");
  OnnxProgram program(m.Bytes());
  ASSERT_EQ(program.Errors(), "");
  EXPECT_EQ(program.Run({{{1, 2}, {1, 4}}, {{2}, {1, 2}}}), "(1, 4): 1 1 4 4");
  EXPECT_NE(program.Run({{{1, 2}, {1, 4}}, {{1}, {1}}}).find("scale"), std::string::npos);
}

// A region has two entries for each axis, also if its length is dynamic.
TEST(ResizeOfAnySizeTest, TakesRegionsOfDynamicLength) {
  const auto cropped = [](testing::OnnxDim entries, const testing::OnnxArgument& region) {
    OnnxModel m;
    m.opset = 19;
    m.Input("x", kFloat, {2, 4}).Input("roi", kFloat, {entries}).Ints("sizes", {2}, {2, 2});
    m.Node("Resize", {"x", "roi", "", "sizes"}, {"y"},
           {{"mode", std::string("linear")},
            {"coordinate_transformation_mode", std::string("tf_crop_and_resize")}});
    m.Output("y");
    return OnnxProgram(m.Bytes()).Run({{{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}, region});
  };
  for (const testing::OnnxDim& entries : {testing::OnnxDim(4), testing::OnnxDim("k")}) {
    EXPECT_EQ(cropped(entries, {{4}, {0, 0.5, 1, 1}}), "(2, 2): 2.5 4 6.5 8");
  }
  EXPECT_NE(cropped("k", {{2}, {0, 1}}).find("match_cast"), std::string::npos);
  EXPECT_NE(cropped(2, {{2}, {0, 1}}).find("two entries for each of 2 axes"), std::string::npos);
}

}  // namespace
}  // namespace lathe::onnx
