// Tests `lathe quantize` on a small network with every kind of layer: the accuracy of the result,
// its compiled form, layers in float32, and calibration data that do not fit.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
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

// A network of two branches. Weights are uniform and of the size that keeps the variance.
class NetworkMaker {
 public:
  OnnxModel Make() {
    model_.Input("x", kFloat, {1, 3, 6, 6});
    const std::string a = BatchNorm(Conv("x", "conv1", 3, 8, 3, 1), "norm1", 8);
    const std::string relu = Node("Relu", {a}, "relu1");
    const std::string depthwise = Conv(relu, "depthwise", 8, 8, 3, 8);
    const std::string six = Node("Clip", {depthwise, Number("zero", 0), Number("six", 6)}, "relu6");
    const std::string pointwise = Conv(six, "pointwise", 8, 8, 1, 1);
    const std::string sum = Node("Add", {pointwise, relu}, "sum");
    const std::string pool = Node(
        "MaxPool", {sum}, "pool",
        {{"kernel_shape", std::vector<int64_t>{2, 2}}, {"strides", std::vector<int64_t>{2, 2}}});
    const std::string swish = Node("Mul", {pool, Node("Sigmoid", {pool}, "gate")}, "swish");
    const std::string mean = Node("GlobalAveragePool", {swish}, "mean");
    const std::string flat = Node("Flatten", {mean}, "flat");
    model_.Floats("fc.weight", {5, 8}, RandomFloats("fc", 40, 1.5));
    model_.Floats("fc.bias", {5}, RandomFloats("fc.bias", 5, 0.3));
    const std::string fc =
        Node("Gemm", {flat, "fc.weight", "fc.bias"}, "fc", {{"transB", int64_t{1}}});
    Node("Softmax", {fc}, "y");
    model_.Output("y", kFloat, {1, 5});
    return std::move(model_);
  }

 private:
  std::string Node(const std::string& op, const std::vector<std::string>& inputs,
                   const std::string& output,
                   const std::vector<testing::OnnxAttribute>& attributes = {}) {
    model_.Node(op, inputs, {output}, attributes);
    return output;
  }
  std::string Number(const std::string& name, float value) {
    model_.Floats(name, {}, {value});
    return name;
  }
  std::string Conv(const std::string& x, const std::string& name, int64_t in, int64_t out,
                   int64_t size, int64_t groups) {
    const int64_t depth = in / groups * size * size;
    const double scale = std::sqrt(3.0 / static_cast<double>(depth));
    model_.Floats(name + ".weight", {out, in / groups, size, size},
                  RandomFloats(name, static_cast<size_t>(out * depth), scale));
    model_.Floats(name + ".bias", {out},
                  RandomFloats(name + ".bias", static_cast<size_t>(out), 0.2));
    const int64_t pad = size / 2;
    return Node("Conv", {x, name + ".weight", name + ".bias"}, name,
                {{"group", groups}, {"pads", std::vector<int64_t>{pad, pad, pad, pad}}});
  }
  std::string BatchNorm(const std::string& x, const std::string& name, size_t channels) {
    std::vector<float> variance = RandomFloats(name + ".variance", channels, 0.3);
    for (float& v : variance) v += 1;
    const auto count = static_cast<int64_t>(channels);
    model_.Floats(name + ".scale", {count}, RandomFloats(name + ".scale", channels, 1.5));
    model_.Floats(name + ".shift", {count}, RandomFloats(name + ".shift", channels, 0.5));
    model_.Floats(name + ".mean", {count}, RandomFloats(name + ".mean", channels, 0.1));
    model_.Floats(name + ".variance", {count}, variance);
    return Node("BatchNormalization",
                {x, name + ".scale", name + ".shift", name + ".mean", name + ".variance"}, name);
  }

  OnnxModel model_;
};

interp::TensorRef RandomTensor(std::vector<int64_t> shape, ir::DType dtype = ir::DType::Float(32)) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  auto tensor = interp::NewTensor(dtype, std::move(shape), budget);
  interp::RandomInput random(5, "samples");
  random.Fill(**tensor);
  return *tensor;
}

void WriteArrays(const std::string& path,
                 const std::vector<std::pair<std::string, interp::TensorRef>>& arrays) {
  const auto bytes = interp::WriteNpz(arrays);
  ASSERT_TRUE(bytes.ok());
  ASSERT_TRUE(WriteFile(path, *bytes).ok());
}

class VerbQuantizeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFile("m.onnx", NetworkMaker().Make().Bytes()).ok());
    WriteArrays("d.npz", {{"x", RandomTensor({8, 3, 6, 6})}});
  }

  static nlohmann::json Report(const std::string& options) {
    const LatheRun run = RunLatheWords("quantize m.onnx --data d.npz --json " + options);
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(run.out);
  }
  static void ExpectRefused(const std::string& words, int exit, const std::string& message) {
    const LatheRun run = RunLatheWords("quantize " + words);
    EXPECT_EQ(run.exit, exit) << words << "\n" << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(message)) << words;
  }

 private:
  const ScratchDirectory folder_;
};

TEST_F(VerbQuantizeTest, LayersKeepTheirSignal) {
  const nlohmann::json report = Report("-o q.onnx");
  EXPECT_GT(report["outputs"]["sqnr_db"], 38);
  std::vector<std::string> names;
  for (const nlohmann::json& layer : report["layers"]) {
    names.push_back(layer["name"]);
    EXPECT_TRUE(layer["quantized"]) << layer;
    EXPECT_GT(layer["sqnr_db"], 30) << layer;
    uint64_t total = 0;
    for (const nlohmann::json& bar : layer["histogram"]) total += bar.get<uint64_t>();
    EXPECT_GT(total, 0U);
  }
  // A bias, a batch normalization and an activation are parts of the layer before them.
  EXPECT_THAT(names, ::testing::ElementsAre("relu1", "relu6", "pointwise", "sum", "pool", "swish",
                                            "mean", "flat", "fc"));
}

TEST_F(VerbQuantizeTest, CompiledModelIsInIntegersAndEqual) {
  Report("-o q.onnx");
  const LatheRun fused = RunLatheWords("inspect q.onnx --numerics fused");
  ASSERT_EQ(fused.exit, 0) << fused.err;
  EXPECT_THAT(fused.out, Not(HasSubstr("R.nn.conv2d")));
  EXPECT_THAT(fused.out, Not(HasSubstr("R.matmul")));
  for (const char* numerics : {"onnx", "fused"}) {
    const LatheRun run =
        RunLatheWords(std::string("validate q.onnx --on host --numerics ") + numerics);
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
  }
}

// TFLite models have channels last, and after batch normalization some channels consist of a bias.
TEST_F(VerbQuantizeTest, ChannelsLastAndLargeBiasesBecomeIntegers) {
  ASSERT_TRUE(WriteFile("n.py", R"(
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((1, 4, 4, 2), "float32")):
    a = R.nn.conv2d(x, R.const([[[[1.0, 1e-12], [-0.5, 2e-12]]]], "float32"), data_layout="NHWC", kernel_layout="HWIO")
    b = R.add(a, R.const([0.25, 1.5], "float32"))
    c = R.nn.relu(b)
    y = R.nn.avg_pool2d(c, pool_size=[2, 2], strides=[2, 2], layout="NHWC")
    return y
)")
                  .ok());
  const LatheRun run = RunLatheWords("quantize n.py --data random:seed=1 --json -o q.onnx");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_GT(nlohmann::json::parse(run.out)["outputs"]["sqnr_db"], 40);
  const LatheRun fused = RunLatheWords("inspect q.onnx --numerics fused");
  ASSERT_EQ(fused.exit, 0) << fused.err;
  EXPECT_THAT(fused.out, Not(HasSubstr("R.nn.conv2d")));
  EXPECT_THAT(fused.out, Not(HasSubstr("R.nn.relu")));
}

TEST_F(VerbQuantizeTest, SixteenBitsKeepMore) {
  const auto mean_of = [](const nlohmann::json& report) {
    double sum = 0;
    for (const nlohmann::json& layer : report["layers"]) sum += layer["sqnr_db"].get<double>();
    return sum / static_cast<double>(report["layers"].size());
  };
  const double eight = mean_of(Report("")), other = mean_of(Report("--activations uint8"));
  EXPECT_NEAR(eight, other, 2);
  EXPECT_GT(mean_of(Report("--activations int16 -o q.onnx")), eight + 2);
  const LatheRun run = RunLatheWords("validate q.onnx --on host");
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
}

TEST_F(VerbQuantizeTest, EveryMethodOfCalibrationWorks) {
  for (const char* method : {"min-max", "percentile", "percentile --percentile 99.9", "entropy"}) {
    const nlohmann::json report = Report(std::string("--calibrate ") + method);
    EXPECT_GT(report["outputs"]["sqnr_db"], 25) << method;
  }
}

TEST_F(VerbQuantizeTest, EqualInputsGiveEqualFiles) {
  const nlohmann::json first = Report("-o a.onnx"), second = Report("-o b.onnx");
  EXPECT_EQ(first, second);
  EXPECT_EQ(*ReadFile("a.onnx"), *ReadFile("b.onnx"));
}

TEST_F(VerbQuantizeTest, RelaxTextIsTheSameModel) {
  Report("-o q.onnx");
  Report("-o q.py");
  ASSERT_EQ(RunLatheWords("run q.onnx --numerics onnx --random seed=1 -o a.npy").exit, 0);
  ASSERT_EQ(RunLatheWords("run q.py --numerics onnx --random seed=1 -o b.npy").exit, 0);
  EXPECT_EQ(*ReadFile("a.npy"), *ReadFile("b.npy"));
}

TEST_F(VerbQuantizeTest, KeptLayersAreInFloat) {
  const nlohmann::json report = Report("--keep relu6,fc -o q.onnx");
  for (const nlohmann::json& layer : report["layers"]) {
    const bool kept = layer["name"] == "relu6" || layer["name"] == "fc";
    EXPECT_EQ(layer["quantized"], !kept) << layer;
  }
  ExpectRefused("m.onnx --data d.npz --keep relu7", 1,
                "no layer is named 'relu7'; did you mean 'relu");
}

// The result of a move whose input stays in float32 has a scale of its own.
TEST_F(VerbQuantizeTest, MovesOfKeptLayersAreQuantizedByTheirRange) {
  const nlohmann::json report = Report("--keep sum,swish");
  for (const nlohmann::json& layer : report["layers"]) {
    if (layer["quantized"]) EXPECT_GT(layer["sqnr_db"], 30) << layer;
  }
}

TEST_F(VerbQuantizeTest, OtherFunctionsAndReturnedInputsStay) {
  ASSERT_TRUE(WriteFile("t.py", R"(
from tvm.script import relax as R

@R.function
def first(x: R.Tensor((2, 4), "float32")):
    y = R.add(x, x)
    return y

@R.function
def second(x: R.Tensor((2, 4), "float32")):
    y = R.multiply(x, x)
    return (y, x)
)")
                  .ok());
  const LatheRun run = RunLatheWords("quantize t.py --func second --data random:seed=1 -o q.onnx");
  ASSERT_EQ(run.exit, 0) << run.err;
  const LatheRun read = RunLatheWords("inspect q.onnx");
  EXPECT_THAT(read.out, HasSubstr("R.multiply("));
  EXPECT_THAT(read.out, Not(HasSubstr("R.add(")));
  EXPECT_THAT(read.out, HasSubstr("return (y_dequantized, x)"));
}

TEST_F(VerbQuantizeTest, SensitiveLayersAreKeptUntilTheLossIsSmall) {
  const double loss = Report("")["loss"];
  const std::string half = absl::StrCat(loss / 2);
  const nlohmann::json report = Report("--max-loss " + half);
  EXPECT_LE(report["loss"], loss / 2);
  size_t kept = 0;
  for (const nlohmann::json& layer : report["layers"]) kept += layer["quantized"] ? 0 : 1;
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, report["layers"].size());
  // Nothing is kept where the loss is small enough already.
  for (const char* metric : {"mse", "cosine", "top1"}) {
    const nlohmann::json all = Report(std::string("--max-loss 50% --metric ") + metric);
    for (const nlohmann::json& layer : all["layers"]) EXPECT_TRUE(layer["quantized"]) << metric;
  }
}

TEST_F(VerbQuantizeTest, LabelsGiveAccuracies) {
  WriteArrays("d.npz", {{"x", RandomTensor({8, 3, 6, 6})},
                        {"labels", RandomTensor({8}, ir::DType::UInt(8))}});
  const nlohmann::json report = Report("--metric top1");
  EXPECT_TRUE(report["outputs"].contains("float_accuracy"));
  const double lost = report["outputs"]["float_accuracy"].get<double>() -
                      report["outputs"]["quantized_accuracy"].get<double>();
  EXPECT_DOUBLE_EQ(report["loss"], lost);
}

TEST_F(VerbQuantizeTest, AccuracyIsThatOnAnotherFile) {
  WriteArrays("test.npz", {{"x", RandomTensor({20, 3, 6, 6})},
                           {"labels", RandomTensor({20}, ir::DType::UInt(8))}});
  const nlohmann::json report = Report("--metric test.npz");
  EXPECT_EQ(report["samples"], 8);
  EXPECT_EQ(report["compared_samples"], 20);
  EXPECT_EQ(report["metric"], "top1");
  const nlohmann::json& outputs = report["outputs"];
  EXPECT_DOUBLE_EQ(report["loss"], outputs["float_accuracy"].get<double>() -
                                       outputs["quantized_accuracy"].get<double>());
  // Ranges and weights are those of the calibration data alone.
  const nlohmann::json alone = Report("");
  for (size_t i = 0; i < alone["layers"].size(); ++i) {
    EXPECT_EQ(report["layers"][i]["scale"], alone["layers"][i]["scale"]);
  }
  EXPECT_THAT(RunLatheWords("quantize m.onnx --data d.npz --metric test.npz -q").out,
              HasSubstr("outputs on 20 samples: SQNR "));
  const LatheRun weights =
      RunLatheWords("quantize m.onnx --activations float --metric test.npz --max-loss 50% -q");
  EXPECT_EQ(weights.exit, 0) << weights.err;
  EXPECT_THAT(weights.out, HasSubstr("accuracy: "));
  ExpectRefused("m.onnx --data d.npz --metric d.npz", 1, "d.npz: there is no array 'labels'");
  ExpectRefused("m.onnx --data d.npz --metric none.npz", 5, "none.npz");
  ExpectRefused("m.onnx --data d.npz --metric top", 1,
                "option '--metric' must be one of: mse, cosine, top1, or a file of samples with "
                "labels; got 'top'; did you mean 'top1'?");
}

TEST_F(VerbQuantizeTest, ReportNamesTheWorstLayers) {
  const LatheRun run = RunLatheWords("quantize m.onnx --data d.npz");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(
      run.out,
      HasSubstr("9 of 9 layers in int8, weights int8 per channel; ranges by mse on 8 samples"));
  EXPECT_THAT(run.out, HasSubstr("lowest SQNR: "));
  WriteArrays("d.npz", {{"x", RandomTensor({20, 3, 6, 6})}});
  EXPECT_THAT(RunLatheWords("quantize m.onnx --data d.npz").err,
              HasSubstr("calibrating: 10 of 20 samples"));
  EXPECT_EQ(RunLatheWords("quantize m.onnx --data d.npz -q").err, "");
}

// The search for layers to keep compares hundreds of networks.
TEST_F(VerbQuantizeTest, ProgressIsAboutTenLinesAPhase) {
  WriteArrays("d.npz", {{"x", RandomTensor({20, 3, 6, 6})}});
  const LatheRun run = RunLatheWords("quantize m.onnx --data d.npz --max-loss 0.000001%");
  EXPECT_THAT(run.err, HasSubstr("lathe: sensitivity: "));
  EXPECT_THAT(run.err, HasSubstr("lathe: left in float32: "));
  EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 45) << run.err;
}

TEST_F(VerbQuantizeTest, RandomCalibrationDataHaveARemark) {
  const LatheRun random = RunLatheWords("quantize m.onnx --data random:seed=1");
  EXPECT_THAT(random.err, HasSubstr("calibration data is random"));
  EXPECT_THAT(RunLatheWords("quantize m.onnx --data d.npz").err, Not(HasSubstr("is random")));
}

TEST_F(VerbQuantizeTest, AModelWithoutLayersIsNamed) {
  OnnxModel model;
  model.Input("x", kFloat, {4});
  model.Node("Exp", {"x"}, {"y"});
  model.Output("y", kFloat, {4});
  ASSERT_TRUE(WriteFile("exp.onnx", model.Bytes()).ok());
  const LatheRun run = RunLatheWords("quantize exp.onnx --data random:seed=1");
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("exp.onnx: error: no operator can be quantized"));
}

TEST_F(VerbQuantizeTest, SamplesComeFromFilesAndFolders) {
  std::filesystem::create_directory("data");
  ExpectRefused("m.onnx --data data", 1, "has no .npz or .npy files");
  WriteArrays("data/a.npz", {{"any", RandomTensor({3, 3, 6, 6})}});
  WriteArrays("data/b.npz", {{"x", RandomTensor({4, 1, 3, 6, 6})}});
  const LatheRun run = RunLatheWords("quantize m.onnx --data data --json");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["samples"], 7);
  const LatheRun random = RunLatheWords("quantize m.onnx --data random:seed=3,samples=2 --json");
  ASSERT_EQ(random.exit, 0) << random.err;
  EXPECT_EQ(nlohmann::json::parse(random.out)["samples"], 2);
}

TEST_F(VerbQuantizeTest, LossAndFileAreReported) {
  const LatheRun run = RunLatheWords("quantize m.onnx --data d.npz --max-loss 50% -o q.onnx");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("within --max-loss 0.5"));
  EXPECT_THAT(run.out, HasSubstr("wrote q.onnx\n"));
}

TEST_F(VerbQuantizeTest, ErrorsNameArraysAsTheFileDoes) {
  WriteArrays("one.npz", {{"images", RandomTensor({8, 3, 6, 5})}});
  ExpectRefused("m.onnx --data one.npz", 1, "array 'images' has shape (8, 3, 6, 5)");
  WriteArrays("two.npz", {{"images", RandomTensor({8, 3, 6, 6})}, {"more", RandomTensor({2})}});
  ExpectRefused("m.onnx --data two.npz", 1, "there is no array 'x'; the file has 'images', 'more'");
}

TEST_F(VerbQuantizeTest, DataThatDoNotFitAreRefused) {
  ExpectRefused("m.onnx", 1, "option '--data' is required");
  ExpectRefused("m.onnx --data none.npz", 5, "none.npz");
  ExpectRefused("m.onnx --data random:seed=x", 1, "random samples are random:seed=N");
  ExpectRefused("m.onnx --data random:samples=0", 1, "random samples are random:seed=N");
  ASSERT_TRUE(WriteFile("bad.npz", "no zip").ok());
  ExpectRefused("m.onnx --data bad.npz", 2, "bad.npz");
  WriteArrays("d.npz", {{"x", RandomTensor({16, 3, 6, 7})}});
  ExpectRefused("m.onnx --data d.npz", 1,
                "array 'x' has shape (16, 3, 6, 7), but the parameter is (1, 3, 6, 6)");
  WriteArrays("d.npz", {{"x", RandomTensor({16, 3, 6, 6}, ir::DType::Float(64))}});
  ExpectRefused("m.onnx --data d.npz", 1, "dtype float64, but the parameter has float32");
  WriteArrays("d.npz", {{"z", RandomTensor({8, 3, 6, 6})}, {"w", RandomTensor({8, 3, 6, 6})}});
  ExpectRefused("m.onnx --data d.npz", 1, "there is no array 'x'");
  WriteArrays("d.npz", {{"x", RandomTensor({0, 3, 6, 6})}});
  ExpectRefused("m.onnx --data d.npz", 1, "too few elements for one sample");
  WriteArrays("d.npz", {{"x", RandomTensor({4, 3, 6, 6})}, {"labels", RandomTensor({3})}});
  ExpectRefused("m.onnx --data d.npz", 1, "array 'labels' must have one integer for each");
  for (const char* metric : {"mse", "cosine", "top1"}) {
    ExpectRefused(absl::StrCat("m.onnx --activations float --metric ", metric), 1,
                  absl::StrCat("option '--metric ", metric, "' needs '--data'"));
  }
  ExpectRefused("m.onnx --data d.npz --max-loss much", 1, "option '--max-loss' must be a number");
  ExpectRefused("m.onnx --data d.npz --percentile 99", 1,
                "option '--percentile' is for '--calibrate percentile' only");
}

TEST_F(VerbQuantizeTest, ModelsThatCannotBeQuantizedAreRefused) {
  Report("-o q.onnx");
  ExpectRefused("q.onnx --data d.npz", 3, "[quantize-already-quantized]");
  ASSERT_TRUE(WriteFile("s.py",
                        "from tvm.script import relax as R\n\n@R.function\n"
                        "def main(x: R.Tensor((2, 4), \"float32\")):\n    y = R.nn.softmax(x)\n"
                        "    return y\n")
                  .ok());
  ExpectRefused("s.py --data random:seed=1", 3, "[quantize-no-layers]");
  ASSERT_TRUE(WriteFile("l.py",
                        "from tvm.script import relax as R\n\n@R.function\n"
                        "def main(x: R.Tensor((2, 4), \"float32\")):\n    a = R.log(x)\n"
                        "    y = R.add(a, x)\n    return y\n")
                  .ok());
  ExpectRefused("l.py --data random:seed=1", 3, "[quantize-not-finite]");
  ExpectRefused("m.onnx --data d.npz --func other", 1, "the module exports no Relax function");
}

}  // namespace
}  // namespace lathe
