// Tests discrete Fourier transforms whose axis and length are constants or inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>

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

enum class Axis { kConstant, kInput };

std::string Transformed(const testing::OnnxArgument& x, int64_t axis, Axis known,
                        const std::vector<OnnxAttribute>& attributes,
                        std::optional<int64_t> length = std::nullopt) {
  OnnxModel m;
  m.Input("x", kFloat, {x.shape.begin(), x.shape.end()});
  std::vector<testing::OnnxArgument> arguments = {x};
  if (length) {
    m.Input("length", kInt64, {});
    arguments.push_back({{}, {static_cast<double>(*length)}, "int64"});
  }
  if (known == Axis::kInput) {
    m.Input("axis", kInt64, {});
    arguments.push_back({{}, {static_cast<double>(axis)}, "int64"});
  } else {
    m.Ints("axis", {}, {axis});
  }
  m.Node("DFT", {"x", length ? "length" : "", "axis"}, {"y"}, attributes).Output("y");
  return OnnxProgram(m.Bytes()).Run(arguments);
}

const OnnxAttribute kOnesided = {"onesided", int64_t{1}}, kInverse = {"inverse", int64_t{1}};

TEST(OnnxDftTest, OneSidedSpectra) {
  for (const Axis known : {Axis::kConstant, Axis::kInput}) {
    const testing::OnnxArgument x = {{1, 2, 1}, {2, 1}};
    EXPECT_THAT(Transformed(x, 1, known, {kOnesided}), HasSubstr("(1, 2, 2): 3 0 1 "));
    EXPECT_EQ(Transformed(x, -2, known, {kOnesided}, 1), "(1, 1, 2): 2 0");
    EXPECT_EQ(Transformed(x, 0, known, {kOnesided}), "(1, 2, 2): 2 0 1 0");
    EXPECT_THAT(Transformed({{2, 1, 1}, {2, 1}}, 0, known, {kOnesided}),
                HasSubstr("(2, 1, 2): 3 0 1 "));
    EXPECT_THAT(Transformed(x, 2, known, {kOnesided}), HasSubstr("last"));
  }
}

// Without a length, the signal has twice as many samples as the spectrum has bins, less two.
TEST(OnnxDftTest, SignalsOfOneSidedSpectra) {
  for (const Axis known : {Axis::kConstant, Axis::kInput}) {
    const testing::OnnxArgument x = {{1, 2, 2}, {3, 0, 1, 0}};
    EXPECT_EQ(Transformed(x, 1, known, {kOnesided, kInverse}), "(1, 2, 1): 2 1");
    EXPECT_EQ(Transformed(x, 1, known, {kOnesided, kInverse}, 1), "(1, 1, 1): 3");
    EXPECT_THAT(Transformed(x, 1, known, {kInverse}), HasSubstr("(1, 2, 2): 2 0 1 "));
    EXPECT_EQ(Transformed(x, 0, known, {kOnesided, kInverse}), "(0, 2, 1): ");
  }
}

// The spectra of frames of one sample each are the samples.
std::string Framed(const testing::OnnxArgument& x, const testing::OnnxDim& parts) {
  OnnxModel m;
  m.opset = 17;
  m.Input("x", kFloat, {int64_t{1}, int64_t{2}, parts})
      .Ints("step", {}, {1})
      .Ints("length", {}, {1});
  m.Node("STFT", {"x", "step", "", "length"}, {"y"}, {{"onesided", int64_t{0}}}).Output("y");
  return OnnxProgram(m.Bytes()).Run({x});
}

TEST(OnnxDftTest, FramesOfRealAndComplexSamples) {
  for (const bool known : {true, false}) {
    const auto of = [&](int64_t parts, std::vector<double> x) {
      return Framed({{1, 2, parts}, std::move(x)}, known ? testing::OnnxDim(parts) : "k");
    };
    EXPECT_EQ(of(1, {2, 5}), "(1, 2, 1, 2): 2 0 5 0");
    EXPECT_EQ(of(2, {2, 3, 5, 7}), "(1, 2, 1, 2): 2 3 5 7");
    EXPECT_THAT(of(3, {2, 3, 4, 5, 6, 7}), HasSubstr("last dimension"));
  }
}

// ONNX's shape inference declares a two-sided spectrum where 'onesided' is omitted.
TEST(OnnxDftTest, AWrongDeclarationOfTheBinsIsIgnored) {
  OnnxModel m;
  m.opset = 17;
  m.Input("x", kFloat, {int64_t{1}, int64_t{3}, int64_t{1}})
      .Ints("step", {}, {1})
      .Ints("length", {}, {3});
  m.Node("STFT", {"x", "step", "", "length"}, {"y"});
  m.Output("y", kFloat, {int64_t{1}, int64_t{1}, int64_t{3}, int64_t{2}});
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Run({{{1, 3, 1}, {1, 1, 1}}}), HasSubstr("(1, 1, 2, 2): 3 0 "));
  ASSERT_EQ(program.diags.all().size(), 1);
  EXPECT_EQ(program.diags.all()[0].code, "onnx-declared-clash");
}

}  // namespace
}  // namespace lathe::onnx
