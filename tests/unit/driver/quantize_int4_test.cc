// Tests `lathe quantize --weights int4` with integers between layers: the size of the compiled
// model, its kernels on every core, blocks, and the search for layers that need more bits.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/random_input.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/onnx_writer.h"
#include "tests/support/random_floats.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using testing::kFloat;
using ::testing::Not;
using testing::OnnxModel;
using testing::RandomFloats;

constexpr const char* kCores[] = {"generic-c99", "cortex-m0",  "cortex-m3",
                                  "cortex-m4",   "cortex-m55", "rv32imc"};

// A window whose columns are unpacked in several parts, a depthwise convolution, pixels of which
// all columns are unpacked at once, and a product whose columns are no whole block.
std::string Network() {
  OnnxModel m;
  m.Input("x", kFloat, {1, 9, 7, 5});
  m.Floats("window.weight", {38, 9, 3, 3}, RandomFloats("window", 3078, 0.2));
  m.Floats("window.bias", {38}, RandomFloats("bias", 38, 0.2));
  m.Floats("group.weight", {38, 1, 3, 3}, RandomFloats("group", 342, 0.4));
  m.Floats("pixel.weight", {18, 38, 1, 1}, RandomFloats("pixel", 684, 0.3));
  m.Floats("last.weight", {18, 30}, RandomFloats("last", 540, 0.3));
  m.Floats("last.bias", {30}, RandomFloats("bias2", 30, 0.2));
  const std::vector<int64_t> pads = {1, 1, 1, 1};
  m.Node("Conv", {"x", "window.weight", "window.bias"}, {"window"}, {{"pads", pads}});
  m.Node("Relu", {"window"}, {"relu"});
  m.Node("Conv", {"relu", "group.weight"}, {"group"}, {{"pads", pads}, {"group", int64_t{38}}});
  m.Node("Conv", {"group", "pixel.weight"}, {"pixel"});
  m.Node("GlobalAveragePool", {"pixel"}, {"mean"});
  m.Node("Flatten", {"mean"}, {"flat"});
  m.Node("Gemm", {"flat", "last.weight", "last.bias"}, {"y"});
  m.Output("y", kFloat, {1, 30});
  return m.Bytes();
}

class QuantizeInt4Test : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(WriteFile("m.onnx", Network()).ok()); }

  static LatheRun Quantize(const std::string& words) {
    const LatheRun run = RunLatheWords("quantize m.onnx --data random:seed=1 -q " + words);
    EXPECT_EQ(run.exit, 0) << words << "\n" << run.err;
    return run;
  }
  static int64_t WeightsOf(const std::string& words) {
    const LatheRun run = RunLatheWords("analyze --json " + words);
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(run.out)["totals"]["weights_bytes"];
  }
  // Returns the bits of the weights of each layer that has weights.
  static std::vector<int> BitsOf(const std::string& json) {
    std::vector<int> bits;
    const nlohmann::json report = nlohmann::json::parse(json);
    for (const auto& layer : report["layers"]) {
      if (layer.contains("weights")) bits.push_back(layer["weights"]["bits"]);
    }
    return bits;
  }

 private:
  const ScratchDirectory folder_;
};

// 4644 weights, of which a half byte is saved each.
TEST_F(QuantizeInt4Test, WeightsStayPackedInFlash) {
  EXPECT_THAT(Quantize("--weights int4 -o q.onnx").out, HasSubstr("weights int4 per channel"));
  Quantize("-o e.onnx");
  for (const char* core : kCores) {
    const std::string words = absl::StrCat(" -t ", core);
    EXPECT_LE(WeightsOf("q.onnx" + words), WeightsOf("e.onnx" + words) - 2300) << core;
  }
}

TEST_F(QuantizeInt4Test, KernelsComputeInIntegers) {
  Quantize("--weights int4 -o q.onnx");
  for (const char* core : kCores) {
    const LatheRun run = RunLatheWords(absl::StrCat("compile q.onnx -t ", core, " -o ", core));
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string text = *ReadFile(absl::StrCat(core, "/q.c"));
    EXPECT_THAT(text, Not(HasSubstr("dequantize_blocks"))) << core;
    const LatheRun valid =
        RunLatheWords(absl::StrCat("validate q.onnx --on host --atol 0 --rtol 0 -t ", core));
    EXPECT_EQ(valid.exit, 0) << core << valid.out << valid.err;
  }
  EXPECT_THAT(*ReadFile("cortex-m4/q.c"), HasSubstr("lathe_unpack_weights_i4("));
  EXPECT_THAT(*ReadFile("cortex-m4/q.c"), HasSubstr("lathe_join_columns_i8("));
}

TEST_F(QuantizeInt4Test, WiderActivationsKeepIntegerKernels) {
  Quantize("--weights int4 --activations int16 -o q.onnx");
  Quantize("--activations int16 -o e.onnx");
  EXPECT_LE(WeightsOf("q.onnx -t cortex-m4"), WeightsOf("e.onnx -t cortex-m4") - 2300);
  EXPECT_EQ(RunLatheWords("validate q.onnx --on host -t cortex-m4").exit, 0);
}

// Of 4644 weights, 18 have no other half byte in their block.
TEST_F(QuantizeInt4Test, BlocksComputeInFloat) {
  const LatheRun run = Quantize("--weights int4 --block 9 -o q.onnx");
  EXPECT_THAT(run.out, HasSubstr("int4 in blocks of 9 (products in float32)"));
  EXPECT_THAT(*ReadFile("q.onnx"), HasSubstr("block_size"));
  EXPECT_EQ(RunLatheWords("validate q.onnx --on host -t cortex-m4f").exit, 0);
}

TEST_F(QuantizeInt4Test, SensitiveLayersGetEightBits) {
  const auto four = nlohmann::json::parse(Quantize("--weights int4 --json").out);
  EXPECT_THAT(BitsOf(four.dump()), ::testing::Each(4));
  const double loss = four["loss"];
  const std::string some =
      Quantize(absl::StrCat("--weights int4 --json --max-loss ", loss / 3)).out;
  EXPECT_LE(nlohmann::json::parse(some)["loss"], loss / 3);
  const std::vector<int> bits = BitsOf(some);
  EXPECT_EQ(std::set<int>(bits.begin(), bits.end()), (std::set<int>{4, 8}));
}

TEST_F(QuantizeInt4Test, FlashLimitsChooseTheBits) {
  const std::string words = "--weights int4 --json -t cortex-m4 -o q.onnx --max-flash ";
  EXPECT_THAT(BitsOf(Quantize(words + "32K").out), ::testing::IsEmpty());
  const std::vector<int> bits = BitsOf(Quantize(words + "5K").out);
  EXPECT_EQ(std::set<int>(bits.begin(), bits.end()), (std::set<int>{4, 8}));
  EXPECT_LE(WeightsOf("q.onnx -t cortex-m4"), 5 * 1024);
}

}  // namespace
}  // namespace lathe
