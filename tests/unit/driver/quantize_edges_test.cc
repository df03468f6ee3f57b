// Tests `lathe quantize` on networks at the edges of float32: steep and flat batch normalizations,
// values that are not finite, and programs that do not end.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/npz_format.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A function main of x with these lines, separated by "\n".
std::string NetworkOf(const std::string& params, const std::string& body) {
  return absl::StrCat("from tvm.script import relax as R\n\n@R.function\ndef main(", params,
                      "):\n    ", body, "\n");
}

constexpr char kRows[] = "x: R.Tensor((2, 2), \"float32\")";
constexpr char kTwoByTwo[] = "R.const([[0.5, -1.0], [2.0, 0.25]], \"float32\")";

class QuantizeEdgesTest : public ::testing::Test {
 protected:
  static LatheRun QuantizeText(const std::string& text, const std::string& options) {
    EXPECT_TRUE(WriteFile("m.py", text).ok());
    return RunLatheWords("quantize m.py --data random:seed=1 " + options);
  }

 private:
  const ScratchDirectory folder_;
};

// The term a * x of a normalization with a small a is rounded away next to b, but not in the sum of
// large products.
TEST_F(QuantizeEdgesTest, SmallSlopesAreFoldedExactly) {
  ASSERT_TRUE(
      WriteFile("m.py", NetworkOf(kRows,
                                  R"(a = R.matmul(x, R.const([[2e9, -1e9], [1e9, 3e9]], "float32"))
    b = R.nn.batch_norm(a, R.const([1e-9, 1e-9], "float32"), R.const([1.0, 2.0], "float32"), R.const([0.0, 0.0], "float32"), R.const([1.0, 1.0], "float32"), axis=1, training=False)
    return b[0])"))
          .ok());
  ASSERT_EQ(RunLatheWords("run m.py --random seed=1 -o a.npz").exit, 0);
  const LatheRun run = RunLatheWords("quantize m.py --data random:seed=1 --json -o q.onnx");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_GT(nlohmann::json::parse(run.out)["outputs"]["sqnr_db"], 25);
  EXPECT_THAT(RunLatheWords("inspect q.onnx").out, Not(HasSubstr("batch_norm")));
  const LatheRun first = RunLatheWords("run m.py --random seed=1 --json");
  const LatheRun second = RunLatheWords("run q.onnx --random seed=1 --json");
  const auto expected = nlohmann::json::parse(first.out),
             actual = nlohmann::json::parse(second.out);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(expected["result"]["data"][i].get<double>(),
                actual["result"]["data"][i].get<double>(), 0.1)
        << first.out << second.out;
  }
}

// Constants of a higher rank give the result that rank.
TEST_F(QuantizeEdgesTest, RanksStay) {
  const std::string text = NetworkOf(
      kRows, absl::StrCat("a = R.matmul(x, ", kTwoByTwo,
                          ")\n    y = R.multiply(a, R.const([[[2.0, 3.0]]], \"float32\"))\n"
                          "    return y"));
  const LatheRun run = QuantizeText(text, "-o q.py");
  ASSERT_EQ(run.exit, 0) << run.err;
  const LatheRun read = RunLatheWords("run q.py --random seed=1 --json");
  ASSERT_EQ(read.exit, 0) << read.err;
  EXPECT_EQ(nlohmann::json::parse(read.out)["result"]["shape"], (std::vector<int>{1, 2, 2}));
}

// A kernel that another layer with channels last computes.
TEST_F(QuantizeEdgesTest, ComputedKernelsAreMoved) {
  const LatheRun run = QuantizeText(
      NetworkOf("x: R.Tensor((1, 4, 4, 2), \"float32\"), k: R.Tensor((1, 2, 2, 2), \"float32\")",
                R"(k1 = R.nn.max_pool2d(k, pool_size=[1, 1], layout="NHWC")
    k2 = R.nn.relu(k1)
    y = R.nn.conv2d(x, k2, data_layout="NHWC", kernel_layout="OHWI")
    return y)"),
      "-o q.onnx");
  EXPECT_EQ(run.exit, 0) << run.err;
}

TEST_F(QuantizeEdgesTest, KeptLayersMayHaveInfinities) {
  const std::string text =
      NetworkOf("x: R.Tensor((2, 2), \"float32\")", absl::StrCat("a = R.matmul(x, ", kTwoByTwo, R"()
    b = R.add(a, R.const([[0.0, -1.0], [-2.0, 0.0]], "float32"))
    masked = R.log(R.subtract(b, b))
    c = R.add(a, masked)
    y = R.nn.softmax(R.add(R.exp(c), a))
    return y)"));
  const LatheRun refused = QuantizeText(text, "-o q.onnx");
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("[quantize-not-finite]"));
  const LatheRun kept = QuantizeText(text, "--keep c -o q.onnx");
  EXPECT_EQ(kept.exit, 0) << kept.err;
}

TEST_F(QuantizeEdgesTest, InfiniteConstantsAndResultsAreRefused) {
  for (const char* constant : {"float(\"nan\")", "float(\"-inf\")"}) {
    const LatheRun run = QuantizeText(
        NetworkOf(kRows, absl::StrCat("a = R.nn.relu(x)\n    y = R.minimum(R.add(a, R.const([",
                                      constant, ", 1.0], \"float32\")), a)\n    return y")),
        "");
    EXPECT_EQ(run.exit, 3) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("not finite"));
  }
  for (const char* options : {"", "--max-loss 1%"}) {
    const LatheRun run = QuantizeText(
        NetworkOf(kRows, absl::StrCat("a = R.matmul(x, ", kTwoByTwo,
                                      ")\n    y = R.log(R.subtract(a, a))\n    return y")),
        options);
    EXPECT_EQ(run.exit, 3) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("a result of 'main' has values on the calibration data that"));
  }
}

// The scale that holds the bias would be infinite.
TEST_F(QuantizeEdgesTest, HugeBiasesStayInFloat) {
  const LatheRun run = QuantizeText(
      NetworkOf(kRows, absl::StrCat("s = R.multiply(x, R.const(1e-20, \"float32\"))\n"
                                    "    a = R.matmul(s, ",
                                    kTwoByTwo,
                                    ")\n    y = R.add(a, R.const([3e38, 1e-21], \"float32\"))\n"
                                    "    return y")),
      "-o q.onnx");
  ASSERT_EQ(run.exit, 0) << run.err;
  const LatheRun read = RunLatheWords("run q.onnx --random seed=1");
  EXPECT_THAT(read.out, HasSubstr("e+38"));
}

TEST_F(QuantizeEdgesTest, ProgramsThatDoNotEndAreStopped) {
  const LatheRun run = QuantizeText(R"(
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), "float32")) -> R.Tensor((1, 2), "float32"):
        cls = Module
        a = R.matmul(x, R.const([[1.0, 0.0], [0.0, 1.0]], "float32"))
        y = cls.main(a)
        return y
)",
                                    "");
  EXPECT_EQ(run.exit, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr("[run-step-limit]"));
}

TEST_F(QuantizeEdgesTest, PercentagesAreForLossesOnly) {
  const std::string text =
      NetworkOf(kRows, absl::StrCat("y = R.matmul(x, ", kTwoByTwo, ")\n    return y"));
  const LatheRun run = QuantizeText(text, "--calibrate percentile --percentile 99.9%");
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err,
              HasSubstr("option '--percentile' must be a number from 50 to 100; got '99.9%'"));
  EXPECT_EQ(QuantizeText(text, "--max-loss 1%").exit, 0);
}

TEST_F(QuantizeEdgesTest, StandardOutputTakesTheModel) {
  const std::string text =
      NetworkOf(kRows, absl::StrCat("y = R.matmul(x, ", kTwoByTwo, ")\n    return y"));
  const LatheRun file = QuantizeText(text, "-o q.onnx"), stream = QuantizeText(text, "-o -");
  EXPECT_EQ(stream.exit, 0) << stream.err;
  EXPECT_EQ(stream.out, *ReadFile("q.onnx"));
  EXPECT_FALSE(ReadFile("-").ok());
}

// An input can have the name of the array of labels, and a batch takes whole samples.
TEST_F(QuantizeEdgesTest, ArraysAreNotTakenForOthers) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  const auto write = [&](const std::string& name, std::vector<int64_t> shape) {
    auto tensor = interp::NewTensor(ir::DType::Float(32), std::move(shape), budget);
    std::fill_n((*tensor)->data(), (*tensor)->bytes(), uint8_t{0x3F});  // 0.747 each
    ASSERT_TRUE(WriteFile("d.npz", *interp::WriteNpz({{name, *tensor}})).ok());
  };
  const std::string line = absl::StrCat("y = R.matmul(labels, ", kTwoByTwo, ")\n    return y");
  ASSERT_TRUE(WriteFile("l.py", NetworkOf("labels: R.Tensor((2, 2), \"float32\")", line)).ok());
  write("labels", {4, 2});
  const LatheRun labels = RunLatheWords("quantize l.py --data d.npz");
  EXPECT_EQ(labels.exit, 0) << labels.err;
  ASSERT_TRUE(WriteFile("m.py", NetworkOf(kRows, absl::StrCat("y = R.matmul(x, ", kTwoByTwo,
                                                              ")\n    return y")))
                  .ok());
  EXPECT_THAT(RunLatheWords("quantize m.py --data d.npz").err, HasSubstr("there is no array 'x'"));
  write("x", {7, 2});
  const LatheRun rest = RunLatheWords("quantize m.py --data d.npz");
  EXPECT_EQ(rest.exit, 1);
  EXPECT_THAT(rest.err, HasSubstr("7 is no multiple of 2"));
}

}  // namespace
}  // namespace lathe
