// Compares transposed convolutions with a constant kernel, which become convolutions, with those
// whose kernel is an input, which follow the definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

using testing::kFloat;

// Small whole numbers, so that sums are exact in any order.
std::vector<double> Numbers(int64_t count, int64_t seed) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<double>((i * 7 + seed) % 11 - 5));
  }
  return numbers;
}

struct PhaseCase {
  List kernel;
  std::vector<OnnxAttribute> attributes;
};

TEST(OnnxPhasesTest, MatchTheDefinition) {
  const PhaseCase cases[] = {
      {{2, 2}, {{"strides", List{2, 2}}}},
      {{3, 3}, {{"strides", List{2, 2}}, {"pads", List{1, 1, 1, 1}}}},
      {{3, 3},
       {{"strides", List{2, 2}}, {"pads", List{1, 1, 1, 1}}, {"output_padding", List{1, 1}}}},
      {{4, 4}, {{"strides", List{2, 2}}, {"pads", List{1, 1, 1, 1}}}},
      {{3, 2}, {{"strides", List{1, 2}}, {"pads", List{0, 0, 2, 1}}}},
      {{5, 4}, {{"strides", List{3, 4}}, {"auto_pad", "SAME_UPPER"}}},
      {{3, 3}, {}},
  };
  for (const PhaseCase& one : cases) {
    const List shape = {2, 3, one.kernel[0], one.kernel[1]};
    const int64_t count = shape[0] * shape[1] * shape[2] * shape[3];
    const std::vector<double> weights = Numbers(count, 3);
    std::string results[2], texts[2];
    for (const bool constant : {false, true}) {
      OnnxModel m;
      m.Input("x", kFloat, {1, 2, 3, 4});
      if (constant) {
        m.Floats("w", shape, std::vector<float>(weights.begin(), weights.end()));
      } else {
        m.Input("w", kFloat, {2, 3, one.kernel[0], one.kernel[1]});
      }
      m.Floats("b", {3}, {10, 20, 30});
      m.Node("ConvTranspose", {"x", "w", "b"}, {"y"}, one.attributes);
      m.Output("y");
      OnnxProgram program(m.Bytes());
      std::vector<testing::OnnxArgument> args = {{{1, 2, 3, 4}, Numbers(24, 1)}};
      if (!constant) args.push_back({shape, weights});
      results[constant ? 1 : 0] = program.Run(args);
      texts[constant ? 1 : 0] = program.Text();
    }
    EXPECT_EQ(results[0], results[1]) << one.kernel[0] << "x" << one.kernel[1];
    EXPECT_THAT(results[1], HasSubstr("(1, 3, "));
    EXPECT_THAT(texts[0], Not(HasSubstr("R.nn.conv2d(")));
    EXPECT_THAT(texts[1], HasSubstr("R.nn.conv2d("));
  }
}

}  // namespace
}  // namespace lathe::onnx
