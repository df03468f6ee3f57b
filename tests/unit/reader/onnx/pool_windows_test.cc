// Tests the windows of pools: with `ceil_mode` over sizes that are not constant, and with automatic
// padding.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using testing::kFloat;
using testing::OnnxDim;
using testing::OnnxModel;
using testing::OnnxProgram;

struct PoolCase {
  int64_t kernel, stride, before, after;
};

std::string PoolModel(const std::string& op, const PoolCase& c, const OnnxDim& size) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 1, size});
  m.Node(op, {"x"}, {"y"},
         {{"kernel_shape", std::vector<int64_t>{c.kernel}},
          {"strides", std::vector<int64_t>{c.stride}},
          {"pads", std::vector<int64_t>{c.before, c.after}},
          {"ceil_mode", int64_t{1}}});
  m.Output("y");
  return m.Bytes();
}

TEST(PoolWindowsTest, OfAnySizeAreThoseOfConstantSizes) {
  int compared = 0;
  for (const char* op : {"MaxPool", "AveragePool", "LpPool"}) {
    for (const PoolCase& c : {PoolCase{2, 2, 0, 0}, PoolCase{3, 2, 1, 0}, PoolCase{3, 2, 1, 1},
                              PoolCase{2, 3, 0, 1}, PoolCase{1, 3, 0, 0}, PoolCase{3, 4, 2, 2}}) {
      OnnxProgram any(PoolModel(op, c, "n"));
      ASSERT_EQ(any.Errors(), "");
      for (int64_t size = c.kernel; size < c.kernel + 8; ++size) {
        std::vector<double> elements;
        for (int64_t i = 0; i < size; ++i) elements.push_back(static_cast<double>((i * 7) % 5));
        OnnxProgram constant(PoolModel(op, c, size));
        const std::string want = constant.Run({{{1, 1, size}, elements}});
        EXPECT_EQ(any.Run({{{1, 1, size}, elements}}), want)
            << op << " of " << c.kernel << " by " << c.stride << " over " << size;
        compared += want.find("(1, 1, ") == 0 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(compared, 3 * 6 * 8);
}

TEST(PoolWindowsTest, SameLowerPadsBeforeTheImage) {
  for (const auto& [automatic, want] :
       {std::pair("SAME_UPPER", "(1, 1, 3): 4 4 3"), std::pair("SAME_LOWER", "(1, 1, 3): 1 4 4")}) {
    OnnxModel m;
    m.Input("x", kFloat, {1, 1, 3});
    m.Node("MaxPool", {"x"}, {"y"},
           {{"kernel_shape", std::vector<int64_t>{2}}, {"auto_pad", std::string(automatic)}});
    m.Output("y");
    EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 1, 3}, {1, 4, 3}}}), want) << automatic;
  }
}

std::string SameModel(const std::string& op, int64_t kernel, int64_t stride, int64_t dilation,
                      const std::string& automatic, const OnnxDim& size) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 1, size});
  std::vector<std::string> inputs = {"x"};
  std::vector<testing::OnnxAttribute> attributes = {{"kernel_shape", std::vector<int64_t>{kernel}},
                                                    {"strides", std::vector<int64_t>{stride}},
                                                    {"dilations", std::vector<int64_t>{dilation}},
                                                    {"auto_pad", automatic}};
  if (op == "Conv") {
    std::vector<float> weights(static_cast<size_t>(kernel));
    for (size_t k = 0; k < weights.size(); ++k) weights[k] = static_cast<float>(k + 1);
    m.Floats("w", {1, 1, kernel}, weights);
    inputs.push_back("w");
  } else if (op == "AveragePool") {
    attributes.push_back({"count_include_pad", int64_t{dilation - 1}});
  }
  m.Node(op, inputs, {"y"}, attributes);
  m.Output("y");
  return m.Bytes();
}

TEST(PoolWindowsTest, AutomaticPaddingOfAnySizeIsThatOfConstantSizes) {
  int compared = 0;
  for (const char* op : {"MaxPool", "AveragePool", "LpPool", "Conv"}) {
    for (const auto& [kernel, stride, dilation] :
         {std::tuple(3, 2, 1), {2, 2, 1}, {2, 3, 1}, {1, 2, 1}, {3, 2, 2}, {2, 3, 2}, {3, 1, 1}}) {
      for (const char* automatic : {"SAME_UPPER", "SAME_LOWER"}) {
        OnnxProgram any(SameModel(op, kernel, stride, dilation, automatic, "n"));
        ASSERT_EQ(any.Errors(), "");
        for (int64_t size = 1; size < 8; ++size) {
          std::vector<double> elements;
          for (int64_t i = 0; i < size; ++i) elements.push_back(static_cast<double>((i * 7) % 5));
          OnnxProgram constant(SameModel(op, kernel, stride, dilation, automatic, size));
          const std::string want = constant.Run({{{1, 1, size}, elements}});
          EXPECT_EQ(any.Run({{{1, 1, size}, elements}}), want)
              << op << " of " << kernel << " by " << stride << " over " << size << automatic;
          compared += want.find("(1, 1, ") == 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(compared, 4 * 7 * 2 * 7);
}

}  // namespace
}  // namespace lathe::onnx
