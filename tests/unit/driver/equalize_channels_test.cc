// Tests the equalization of channels that `lathe quantize` does before calibration.
#include <cmath>
#include <string>
#include <vector>

#include "generator/interp/data/npy_format.h"
#include "generator/interp/data/random_input.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using testing::OnnxModel;

constexpr int64_t kChannels = 12;

// Uniform numbers of a magnitude for each of `size` elements in turn, `inner` of each.
std::vector<float> Scaled(const std::string& name, size_t count, size_t inner,
                          const std::vector<double>& magnitudes) {
  interp::RandomInput random(7, name);
  std::vector<float> out;
  for (size_t i = 0; i < count; ++i) {
    const double value = interp::ToDouble(ir::DType::Float(32), random.Next(ir::DType::Float(32)));
    out.push_back(static_cast<float>(value * magnitudes[i / inner % magnitudes.size()]));
  }
  return out;
}

// A convolution of pixels, one of each channel, and one of pixels. The channels between them have
// magnitudes up to `spread` apart.
std::string Network(double spread, const std::string& activation) {
  std::vector<double> up, down;
  for (int64_t c = 0; c < kChannels; ++c) {
    up.push_back(std::pow(spread, static_cast<double>(c * 5 % kChannels) / kChannels));
    down.push_back(0.4 / up.back());
  }
  OnnxModel m;
  m.Input("x", kFloat, {1, 8, 6, 6});
  m.Floats("a", {kChannels, 8, 1, 1}, Scaled("a", kChannels * 8, 8, up));
  m.Floats("a.bias", {kChannels}, Scaled("a.bias", kChannels, 1, up));
  m.Floats("b", {kChannels, 1, 3, 3}, Scaled("b", kChannels * 9, 9, {0.5}));
  m.Floats("b.bias", {kChannels}, Scaled("b.bias", kChannels, 1, up));
  m.Floats("c", {5, kChannels, 1, 1}, Scaled("c", 5 * kChannels, 1, down));
  const std::vector<int64_t> pads = {1, 1, 1, 1};
  m.Floats("zero", {}, {0});
  m.Floats("six", {}, {6});
  m.Node("Conv", {"x", "a", "a.bias"}, {"first"});
  if (activation == "Clip") {
    m.Node("Clip", {"first", "zero", "six"}, {"relu"});
  } else {
    m.Node(activation, {"first"}, {"relu"});
  }
  m.Node("Conv", {"relu", "b", "b.bias"}, {"second"}, {{"pads", pads}, {"group", kChannels}});
  m.Node("Relu", {"second"}, {"relu2"});
  m.Node("Conv", {"relu2", "c"}, {"y"});
  m.Output("y", kFloat, {1, 5, 6, 6});
  return m.Bytes();
}

class EqualizeChannelsTest : public ::testing::Test {
 protected:
  static nlohmann::json Report(const std::string& options) {
    const LatheRun run =
        RunLatheWords("quantize m.onnx --data random:seed=1,samples=16 -q --json " + options);
    EXPECT_EQ(run.exit, 0) << run.err;
    return run.exit == 0 ? nlohmann::json::parse(run.out) : nlohmann::json();
  }

  // The signal-to-noise ratio of the written model against the float one, in decibels.
  static double Precision(const std::string& options) {
    Report(options + " -o q.onnx");
    const std::string input = " --random seed=9 -q -o ";
    EXPECT_EQ(RunLatheWords("run m.onnx" + input + "real.npy").exit, 0);
    EXPECT_EQ(RunLatheWords("run q.onnx --numerics onnx" + input + "other.npy").exit, 0);
    const auto budget = std::make_shared<interp::MemoryBudget>();
    const auto real = interp::ReadNpy(*ReadFile("real.npy"), budget, ir::DType::Float(32));
    const auto other = interp::ReadNpy(*ReadFile("other.npy"), budget, ir::DType::Float(32));
    double signal = 0, noise = 0;
    for (uint64_t i = 0; i < (*real)->num_elements(); ++i) {
      const auto at = [&](const interp::TensorRef& t) {
        return interp::ToDouble(ir::DType::Float(32), t->At(i).bits);
      };
      signal += std::pow(at(*real), 2);
      noise += std::pow(at(*real) - at(*other), 2);
    }
    return 10 * std::log10(signal / noise);
  }

 private:
  const ScratchDirectory folder_;
};

TEST_F(EqualizeChannelsTest, ChannelsOfDifferentRangesGainPrecision) {
  ASSERT_TRUE(WriteFile("m.onnx", Network(1000, "Relu")).ok());
  const double before = Precision("--equalize off"), after = Precision("");
  EXPECT_LT(before, 20);
  EXPECT_GT(after, before + 10);
}

TEST_F(EqualizeChannelsTest, SimilarChannelsStay) {
  ASSERT_TRUE(WriteFile("m.onnx", Network(2, "Relu")).ok());
  EXPECT_EQ(Report("--equalize on -o on.onnx"), Report("--equalize off -o off.onnx"));
  EXPECT_EQ(*ReadFile("on.onnx"), *ReadFile("off.onnx"));
}

// Scales do not move through a bound that is not 0; the second pair is equalized alone.
TEST_F(EqualizeChannelsTest, OtherActivationsKeepTheirRange) {
  ASSERT_TRUE(WriteFile("m.onnx", Network(1000, "Clip")).ok());
  const nlohmann::json on = Report(""), off = Report("--equalize off");
  EXPECT_EQ(on["layers"][0], off["layers"][0]);
  EXPECT_NE(on["layers"][1]["high"], off["layers"][1]["high"]);
}

TEST_F(EqualizeChannelsTest, WeightsAloneAreNotEqualized) {
  ASSERT_TRUE(WriteFile("m.onnx", Network(2, "Relu")).ok());
  const LatheRun run = RunLatheWords("quantize m.onnx --activations float --equalize on");
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("option '--equalize' is for activations in integers only"));
}

}  // namespace
}  // namespace lathe
