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

}  // namespace
}  // namespace lathe::onnx
