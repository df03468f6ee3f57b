// Tests `lathe quantize --activations float`, which quantizes only weights: the size and precision
// of the written model, and the kernels that unpack it.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/npz_format.h"
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

// Two matrix products: 40 rows are a block and a part of one, and 10 columns are no whole tile.
std::string Products() {
  OnnxModel m;
  m.Input("x", kFloat, {3, 40});
  m.Floats("first.weight", {40, 24}, RandomFloats("first", 960, 0.2));
  m.Floats("first.bias", {24}, RandomFloats("bias", 24, 0.2));
  m.Floats("second.weight", {10, 24}, RandomFloats("second", 240, 0.3));
  m.Floats("second.bias", {10}, RandomFloats("bias2", 10, 0.2));
  m.Node("MatMul", {"x", "first.weight"}, {"product"});
  m.Node("Add", {"product", "first.bias"}, {"first"});
  m.Node("Tanh", {"first"}, {"relu"});
  m.Node("Gemm", {"relu", "second.weight", "second.bias"}, {"y"}, {{"transB", int64_t{1}}});
  m.Output("y", kFloat, {3, 10});
  return m.Bytes();
}

// Convolutions of a window with padding, in groups, and of single pixels.
std::string Convolutions() {
  OnnxModel m;
  m.Input("x", kFloat, {1, 32, 5, 5});
  m.Floats("window.weight", {12, 32, 3, 3}, RandomFloats("window", 3456, 0.1));
  m.Floats("window.bias", {12}, RandomFloats("bias", 12, 0.2));
  m.Floats("group.weight", {12, 1, 3, 3}, RandomFloats("group", 108, 0.4));
  m.Floats("pixel.weight", {6, 12, 1, 1}, RandomFloats("pixel", 72, 0.3));
  const std::vector<int64_t> pads = {1, 1, 1, 1};
  m.Node("Conv", {"x", "window.weight", "window.bias"}, {"window"}, {{"pads", pads}});
  m.Node("Relu", {"window"}, {"relu"});
  m.Node("Conv", {"relu", "group.weight"}, {"group"}, {{"pads", pads}, {"group", int64_t{12}}});
  m.Node("Conv", {"group", "pixel.weight"}, {"y"});
  m.Output("y", kFloat, {1, 6, 5, 5});
  return m.Bytes();
}

class QuantizeWeightsOnlyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFile("m.onnx", Products()).ok());
    ASSERT_TRUE(WriteFile("c.onnx", Convolutions()).ok());
  }

  static nlohmann::json Report(const std::string& words) {
    const LatheRun run = RunLatheWords("quantize --activations float --json " + words);
    EXPECT_EQ(run.exit, 0) << words << "\n" << run.err;
    return run.exit == 0 ? nlohmann::json::parse(run.out) : nlohmann::json();
  }
  static void ExpectRefused(const std::string& words, int exit, const std::string& message) {
    const LatheRun run = RunLatheWords("quantize " + words);
    EXPECT_EQ(run.exit, exit) << words << "\n" << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(message)) << words;
  }
  // Returns the weights and the arena of the compiled model.
  static std::pair<int64_t, int64_t> MemoryOf(const std::string& words) {
    const LatheRun run = RunLatheWords("analyze --json " + words);
    EXPECT_EQ(run.exit, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    return {report["totals"]["weights_bytes"], report["totals"]["arena_bytes"]};
  }
  static void ExpectValid(const std::string& words) {
    const LatheRun run = RunLatheWords("validate " + words + " --on host");
    EXPECT_EQ(run.exit, 0) << words << "\n" << run.out << run.err;
  }

 private:
  const ScratchDirectory folder_;
};

TEST_F(QuantizeWeightsOnlyTest, NeedsNoDataAndReportsThePrecisionOfWeights) {
  const nlohmann::json eight = Report("m.onnx"), four = Report("m.onnx --weights int4");
  ASSERT_EQ(eight["layers"].size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const auto &a = eight["layers"][i]["weights"], &b = four["layers"][i]["weights"];
    EXPECT_GT(a["sqnr_db"], 44);
    EXPECT_GT(b["sqnr_db"], 18);
    EXPECT_LT(b["sqnr_db"], 26);
  }
  // 40 rows have two blocks; 24 rows are fewer than a block, so that their columns have scales.
  EXPECT_EQ(four["layers"][0]["weights"]["block"], 32);
  EXPECT_EQ(four["layers"][0]["weights"]["bytes"], 40 * 24 / 2 + 2 * 24 * 4);
  EXPECT_EQ(four["layers"][1]["weights"]["block"], 0);
  EXPECT_EQ(four["layers"][1]["weights"]["bytes"], 24 * 10 / 2 + 10 * 4);
  const LatheRun run = RunLatheWords("quantize m.onnx --activations float --weights int4");
  EXPECT_THAT(run.out,
              HasSubstr("weights of 2 of 2 layers in integers: 832 bytes, 4800 in float32"));
  EXPECT_THAT(run.out, Not(HasSubstr("outputs:")));
}

TEST_F(QuantizeWeightsOnlyTest, SmallerBlocksAreMorePrecise) {
  double before = 0;
  for (const char* block : {"0", "20", "8", "4"}) {
    const nlohmann::json report = Report(absl::StrCat("m.onnx --weights int4 --block ", block));
    const double precision = report["layers"][0]["weights"]["sqnr_db"];
    EXPECT_GT(precision, before) << block;
    before = precision;
  }
}

TEST_F(QuantizeWeightsOnlyTest, DataReduceTheErrorOfResults) {
  const std::string common = "m.onnx --weights int4 --data random:seed=1,samples=30 -q ";
  const double nearest = Report(common + "--rounding nearest --bias given")["outputs"]["sqnr_db"];
  EXPECT_GT(Report(common)["outputs"]["sqnr_db"], nearest + 0.5);
  EXPECT_GT(nearest, 15);
}

// Weights stay packed in flash and are unpacked in registers: the arena has none.
TEST_F(QuantizeWeightsOnlyTest, CompiledWeightsStayPacked) {
  Report("m.onnx --weights int4 -o q.onnx");
  Report("m.onnx --weights int8 -o e.onnx");
  for (const char* target : {"generic-c99", "cortex-m0", "cortex-m4f", "cortex-m55", "x86-64-v3"}) {
    const std::string words = absl::StrCat(" -t ", target);
    const auto real = MemoryOf("m.onnx" + words), four = MemoryOf("q.onnx" + words),
               eight = MemoryOf("e.onnx" + words);
    EXPECT_LT(four.first, real.first / 4) << target;
    EXPECT_LT(eight.first, real.first / 2) << target;
    EXPECT_LE(four.second, real.second + 64) << target;
    EXPECT_LE(eight.second, real.second + 64) << target;
  }
}

TEST_F(QuantizeWeightsOnlyTest, CompiledModelsEqualTheInterpreter) {
  Report("m.onnx --weights int4 -o q.onnx");
  ExpectValid("q.onnx -t cortex-m4f");
  ExpectValid("q.onnx -t x86-64");
  Report("m.onnx --block 16 -o q.onnx");
  ExpectValid("q.onnx -t cortex-m4f");
  Report("c.onnx --weights int4 -o q.onnx");
  ExpectValid("q.onnx -t x86-64");
}

TEST_F(QuantizeWeightsOnlyTest, ConvolutionsWithFewChannelsHaveAScalePerChannel) {
  const nlohmann::json report = Report("c.onnx --weights int4");
  ASSERT_EQ(report["layers"].size(), 3U);
  EXPECT_EQ(report["layers"][0]["weights"]["block"], 32);
  EXPECT_EQ(report["layers"][1]["weights"]["block"], 0);
  EXPECT_EQ(report["layers"][2]["weights"]["block"], 0);
}

TEST_F(QuantizeWeightsOnlyTest, RelaxTextIsTheSameModel) {
  Report("c.onnx --weights int4 -o q.onnx");
  Report("c.onnx --weights int4 -o q.py");
  ASSERT_EQ(RunLatheWords("run q.onnx --random seed=1 -o a.npy").exit, 0);
  ASSERT_EQ(RunLatheWords("run q.py --random seed=1 -o b.npy").exit, 0);
  EXPECT_EQ(*ReadFile("a.npy"), *ReadFile("b.npy"));
  // The nodes of the ONNX model become the same loop nests, and these the same nodes.
  ASSERT_EQ(RunLatheWords("inspect q.onnx --format onnx -o c.onnx").exit, 0);
  EXPECT_THAT(*ReadFile("c.onnx"), HasSubstr("DequantizeLinear"));
  EXPECT_THAT(*ReadFile("c.onnx"), HasSubstr("block_size"));
  ASSERT_EQ(RunLatheWords("run c.onnx --random seed=1 -o c.npy").exit, 0);
  EXPECT_EQ(*ReadFile("a.npy"), *ReadFile("c.npy"));
}

TEST_F(QuantizeWeightsOnlyTest, LayersStayInFloat) {
  const nlohmann::json kept = Report("m.onnx --weights int4 --keep y");
  EXPECT_TRUE(kept["layers"][0]["quantized"]);
  EXPECT_FALSE(kept["layers"][1]["quantized"]);
  const std::string data = "m.onnx --weights int4 --data random:seed=1 -q ";
  const double loss = Report(data)["loss"];
  const nlohmann::json fewer = Report(absl::StrCat(data, "--max-loss ", loss * 0.9));
  EXPECT_LE(fewer["loss"], loss * 0.9);
}

// Layers become integers, and then fewer bits, only as far as the compiled model needs it.
TEST_F(QuantizeWeightsOnlyTest, BitsFollowTheMemory) {
  const auto bits_for = [](const std::string& options) {
    std::string bits;
    const nlohmann::json report = Report("m.onnx --weights int4 -t cortex-m4f " + options);
    for (const auto& layer : report["layers"]) {
      const bool integers = layer["quantized"];
      absl::StrAppend(&bits, integers ? layer["weights"]["bits"].get<int>() : 32, " ");
    }
    return bits;
  };
  EXPECT_EQ(bits_for("--max-flash 6K"), "32 32 ");
  EXPECT_EQ(bits_for("--max-flash 3K"), "8 32 ");
  EXPECT_EQ(bits_for("--max-flash 1600"), "8 8 ");
  EXPECT_EQ(bits_for("--max-flash 1K -o q.onnx"), "4 4 ");
  EXPECT_LE(MemoryOf("q.onnx -t cortex-m4f").first, 1024);
  const std::string words = "m.onnx --activations float --weights int4 -t cortex-m4f ";
  ExpectRefused(words + "--max-flash 500", 4, "with every layer quantized, the model needs ");
  ExpectRefused(words + "--max-flash 500", 4, " bytes of weights (at most 500)");
  ExpectRefused(words + "--max-ram 100", 4, " bytes of RAM (at most 100) on cortex-m4f");
}

TEST_F(QuantizeWeightsOnlyTest, IntegersBetweenLayersFitTheRam) {
  const std::string words =
      "quantize c.onnx --data random:seed=1 -t cortex-m4f -q --json -o q.onnx ";
  const int64_t real = MemoryOf("c.onnx -t cortex-m4f").second;
  const LatheRun run = RunLatheWords(words + "--max-ram 6500");
  ASSERT_EQ(run.exit, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_LE(report["memory"]["ram_bytes"], 6500);
  EXPECT_LT(MemoryOf("q.onnx -t cortex-m4f").second, real);
  const auto all = nlohmann::json::parse(RunLatheWords(words + "--max-ram 1M").out);
  for (const auto& layer : all["layers"]) EXPECT_FALSE(layer["quantized"]) << layer;
}

TEST_F(QuantizeWeightsOnlyTest, OptionsThatDoNotFitAreRefused) {
  ExpectRefused("m.onnx --activations float -t cortex-m4f", 1,
                "option '--target' is for '--max-flash' and '--max-ram'");
  ExpectRefused("m.onnx --activations float --max-flash much", 1, "in option '--max-flash', ");
  ExpectRefused("m.onnx --activations float --max-flash 1K -t cuda:sm_90a", 1,
                "are for processors, not for GPUs");
  EXPECT_EQ(Report("m.onnx --block 1048576")["layers"][0]["weights"]["block"], 0);
  for (const char* block : {"1", "-4", "x", "1048577", "99999999999999999999"}) {
    ExpectRefused(absl::StrCat("m.onnx --activations float --block ", block), 1,
                  "option '--block' must be 0 or a number from 2 to ");
  }
  ExpectRefused("m.onnx --activations float --calibrate entropy", 1,
                "option '--calibrate' is for activations in integers only");
  ExpectRefused("m.onnx --activations float --max-loss 1%", 1,
                "option '--max-loss' needs '--data'");
  ASSERT_TRUE(WriteFile("s.py",
                        "from tvm.script import relax as R\n\n@R.function\n"
                        "def main(x: R.Tensor((2, 4), \"float32\")):\n    y = R.nn.softmax(x)\n"
                        "    return y\n")
                  .ok());
  ExpectRefused("s.py --activations float", 3, "[quantize-no-layers]");
}

}  // namespace
}  // namespace lathe
