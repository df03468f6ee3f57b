// Tests the writer of ONNX: what is read from a written model computes the same as the program.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/interp/data/npy_format.h"
#include "generator/interp/data/npz_format.h"
#include "generator/support/files.h"
#include "generator/writer/onnx/writer_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

// A function main of these parameters that returns the last of the bindings y = ...
struct WrittenProgram {
  const char* params;
  const char* body;  // lines separated by ";"
};

constexpr char kImage[] = "x: R.Tensor((2, 4, 6, 6), \"float32\")";
constexpr char kMatrix[] = "x: R.Tensor((3, 4), \"float32\")";
constexpr char kPair[] = "x: R.Tensor((3, 4), \"float32\"), z: R.Tensor((3, 1), \"float32\")";
constexpr char kInts[] = "x: R.Tensor((3, 4), \"int32\"), z: R.Tensor((4,), \"int32\")";
constexpr char kBools[] = "x: R.Tensor((3, 4), \"bool\"), z: R.Tensor((4,), \"bool\")";
constexpr char kLine[] = "x: R.Tensor((1, 2, 9), \"float32\")";
constexpr char kSymbolic[] = "x: R.Tensor((\"n\", 4), \"float32\")";

const WrittenProgram kPrograms[] = {
    {kMatrix, "y = R.abs(x)"},
    {kMatrix, "y = R.acos(x)"},
    {kMatrix, "a = R.add(R.abs(x), R.const(1.5, \"float32\")); y = R.acosh(a)"},
    {kMatrix, "y = R.asin(x)"},
    {kMatrix, "y = R.asinh(x)"},
    {kMatrix, "y = R.atan(x)"},
    {kMatrix, "y = R.atanh(x)"},
    {kMatrix, "y = R.ceil(R.multiply(x, R.const(3.0, \"float32\")))"},
    {kMatrix, "y = R.cos(x)"},
    {kMatrix, "y = R.cosh(x)"},
    {kMatrix, "y = R.erf(x)"},
    {kMatrix, "y = R.exp(x)"},
    {kMatrix, "y = R.floor(R.multiply(x, R.const(3.0, \"float32\")))"},
    {kMatrix, "y = R.isfinite(x)"},
    {kMatrix, "y = R.isinf(x)"},
    {kMatrix, "y = R.isnan(x)"},
    {kMatrix, "y = R.log(R.abs(x))"},
    {kMatrix, "y = R.negative(x)"},
    {kMatrix, "y = R.round(R.multiply(x, R.const(3.0, \"float32\")))"},
    {kMatrix, "y = R.rsqrt(R.abs(x))"},
    {kMatrix, "y = R.sigmoid(x)"},
    {kMatrix, "y = R.sign(x)"},
    {kMatrix, "y = R.sin(x)"},
    {kMatrix, "y = R.sinh(x)"},
    {kMatrix, "y = R.sqrt(R.abs(x))"},
    {kMatrix, "y = R.square(x)"},
    {kMatrix, "y = R.tan(x)"},
    {kMatrix, "y = R.tanh(x)"},
    {kMatrix, "y = R.trunc(R.multiply(x, R.const(3.0, \"float32\")))"},
    {kMatrix, "y = R.clip(x, -0.25, 0.5)"},
    {kMatrix, "y = R.astype(R.multiply(x, R.const(9.0, \"float32\")), \"int32\")"},
    {kMatrix, "y = R.nn.gelu(x)"},
    {kMatrix, "y = R.nn.gelu_tanh(x)"},
    {kMatrix, "y = R.nn.leakyrelu(x, alpha=0.2)"},
    {kMatrix, "y = R.nn.relu(x)"},
    {kMatrix, "y = R.nn.selu(x)"},
    {kMatrix, "y = R.nn.silu(x)"},
    {kMatrix, "y = R.nn.softplus(x, beta=2.0, threshold=1.0)"},
    {kMatrix, "y = R.nn.prelu(x, R.const([0.1, 0.2, 0.3, 0.4], \"float32\"), axis=1)"},
    {kPair, "y = R.add(x, z)"},
    {kPair, "y = R.subtract(x, z)"},
    {kPair, "y = R.multiply(x, z)"},
    {kPair, "y = R.divide(x, z)"},
    {kPair, "y = R.floor_divide(x, z)"},
    {kPair, "y = R.floor_mod(x, z)"},
    {kPair, "y = R.mod(x, z)"},
    {kPair, "y = R.power(R.abs(x), z)"},
    {kPair, "y = R.maximum(x, z)"},
    {kPair, "y = R.minimum(x, z)"},
    {kPair, "y = R.equal(x, z)"},
    {kPair, "y = R.not_equal(x, z)"},
    {kPair, "y = R.less(x, z)"},
    {kPair, "y = R.less_equal(x, z)"},
    {kPair, "y = R.greater(x, z)"},
    {kPair, "y = R.greater_equal(x, z)"},
    {kPair, "y = R.where(R.less(x, z), x, z)"},
    {kInts, "y = R.bitwise_and(x, z)"},
    {kInts, "y = R.bitwise_or(x, z)"},
    {kInts, "y = R.bitwise_xor(x, z)"},
    {kInts, "y = R.bitwise_not(x)"},
    {kInts, "a = R.add(R.abs(z), R.const(1, \"int32\")); y = R.floor_divide(x, a)"},
    {kInts, "a = R.add(R.abs(z), R.const(1, \"int32\")); y = R.floor_mod(x, a)"},
    {kInts, "a = R.add(R.abs(z), R.const(1, \"int32\")); y = R.mod(x, a)"},
    {kBools, "y = R.logical_and(x, z)"},
    {kBools, "y = R.logical_or(x, z)"},
    {kBools, "y = R.logical_xor(x, z)"},
    {kBools, "y = R.logical_not(x)"},
    {kMatrix, "y = R.max(x, axis=[1])"},
    {kMatrix, "y = R.min(x, axis=[0], keepdims=True)"},
    {kMatrix, "y = R.mean(x)"},
    {kMatrix, "y = R.prod(x, axis=[-1])"},
    {kMatrix, "y = R.sum(x, axis=[0, 1])"},
    {kMatrix, "y = R.argmax(x, axis=1)"},
    {kMatrix, "y = R.argmin(x, axis=0, keepdims=True)"},
    {kMatrix, "y = R.nn.softmax(x, axis=0)"},
    {kMatrix, "y = R.nn.log_softmax(x)"},
    {kMatrix, "y = R.cumsum(x, axis=1, exclusive=True)"},
    {kMatrix, "y = R.sort(x, axis=1, descending=True)"},
    {kMatrix, "y = R.argsort(x, axis=0)"},
    {kMatrix, "y = R.topk(x, k=2, axis=1)"},
    {kMatrix, "y = R.topk(x, k=2, axis=0, ret_type=\"values\", largest=False)"},
    {kMatrix, "y = R.matmul(x, R.permute_dims(x))"},
    {kMatrix,
     "a = R.matmul(x, R.permute_dims(x)); y = R.add(a, R.const([1.0, 2.0, 3.0], "
     "\"float32\"))"},
    {kMatrix, "y = R.einsum((x, x), subscripts=\"ij,kj->ik\")"},
    {kMatrix, "y = R.reshape(x, R.shape([2, 6]))"},
    {kMatrix, "y = R.flatten(x)"},
    {kImage, "y = R.nn.batch_flatten(x)"},
    {kMatrix, "y = R.permute_dims(x, axes=[1, 0])"},
    {kMatrix, "y = R.squeeze(R.expand_dims(x, axis=[0, -1]), axis=[0])"},
    {kMatrix, "y = R.broadcast_to(x, R.shape([2, 3, 4]))"},
    {kMatrix, "y = R.concat((x, x, x), axis=1)"},
    {kMatrix, "y = R.stack((x, x), axis=1)"},
    {kMatrix, "a = R.split(x, 2, axis=1); y = R.add(a[0], a[1])"},
    {kMatrix, "y = R.split(x, [1, 2], axis=1)"},
    {kMatrix, "y = R.strided_slice(x, axes=[1], begin=[3], end=[0], strides=[-2])"},
    {kMatrix, "y = R.flip(x, axis=1)"},
    {kMatrix, "y = R.tile(x, repeats=[2, 1, 3])"},
    {kMatrix, "y = R.nn.pad(x, pad_width=[1, 0, 2, 1], pad_value=3.0)"},
    {kMatrix, "y = R.nn.pad(x, pad_width=[1, 0, 2, 1], pad_mode=\"reflect\")"},
    {kImage, "y = R.nn.pixel_shuffle(x, upscale_factor=2)"},
    {kSymbolic, "y = R.shape_to_tensor(R.shape_of(x))"},
    {kMatrix, "y = R.take(x, R.const([2, 0], \"int64\"), axis=0)"},
    {kMatrix, "y = R.take(x, R.const([5, 0], \"int64\"), axis=1, mode=\"clip\")"},
    {kMatrix, "y = R.gather_elements(x, R.const([[1, 0]], \"int64\"), axis=1)"},
    {kMatrix, "y = R.gather_nd(x, R.const([[1, 2], [0, 3]], \"int64\"))"},
    {kMatrix,
     "y = R.scatter_elements(x, R.const([[1, 0]], \"int64\"), R.const([[7.0, 8.0]], "
     "\"float32\"), axis=1, reduction=\"add\")"},
    {kMatrix, "y = R.scatter_nd(x, R.const([[1, 2]], \"int64\"), R.const([9.0], \"float32\"))"},
    {"x: R.Tensor((3,), \"int64\")",
     "y = R.one_hot(x, R.prim_value(1), R.prim_value(0), depth=4, axis=-1)"},
    {kSymbolic, "y = R.full(R.shape_of(x), R.const(2.5, \"float32\"), dtype=\"float32\")"},
    {kMatrix, "y = R.full_like(x, R.const(2.5, \"float32\"))"},
    {kMatrix, "y = R.add(x, R.ones(R.shape([3, 4]), dtype=\"float32\"))"},
    {kMatrix, "y = R.add(x, R.zeros(R.shape([3, 4]), dtype=\"float32\"))"},
    {kMatrix, "y = R.ones_like(x)"},
    {kMatrix, "y = R.zeros_like(x)"},
    {kMatrix, "y = R.add(x, R.arange(0, 4, 1, dtype=\"float32\"))"},
    {kMatrix, "y = R.tril(x, 1)"},
    {kMatrix, "y = R.triu(x, -1)"},
    {kMatrix, "y = R.quantize(x, R.const(0.02, \"float32\"), R.const(3, \"int8\"))"},
    {kMatrix,
     "a = R.quantize(x, R.const([0.02, 0.03, 0.01, 0.05], \"float32\"), R.const([0, 0, "
     "0, 0], \"int8\"), axis=1); y = R.dequantize(a, R.const([0.02, 0.03, 0.01, 0.05], "
     "\"float32\"), R.const([0, 0, 0, 0], \"int8\"), axis=1)"},
    {kImage,
     "y = R.nn.conv2d(x, R.full(R.shape([6, 2, 3, 3]), R.const(0.5, \"float32\"), "
     "dtype=\"float32\"), strides=[2, 1], padding=[1, 0, 1, 2], groups=2)"},
    {"x: R.Tensor((1, 6, 5, 4), \"float32\"), w: R.Tensor((3, 3, 4, 2), \"float32\")",
     "y = R.nn.conv2d(x, w, padding=[1, 1, 1, 1], data_layout=\"NHWC\", kernel_layout=\"HWIO\")"},
    {"x: R.Tensor((1, 4, 5, 5), \"float32\"), w: R.Tensor((3, 4, 2, 2), \"float32\"), b: "
     "R.Tensor((3,), \"float32\")",
     "a = R.nn.conv2d(x, w); c = R.reshape(b, R.shape([1, 3, 1, 1])); y = R.add(a, c)"},
    {kLine, "y = R.nn.conv1d(x, R.ones(R.shape([3, 2, 2]), dtype=\"float32\"), dilation=[2])"},
    {"x: R.Tensor((1, 2, 3, 4, 4), \"float32\")",
     "y = R.nn.conv3d(x, R.ones(R.shape([2, 2, 1, 2, 2]), dtype=\"float32\"))"},
    {kLine,
     "y = R.nn.conv1d_transpose(x, R.ones(R.shape([2, 3, 2]), dtype=\"float32\"), "
     "strides=[2], output_padding=[1])"},
    {kImage,
     "y = R.nn.conv2d_transpose(x, R.ones(R.shape([4, 3, 2, 2]), dtype=\"float32\"), "
     "strides=[2, 2], padding=[1, 0, 0, 1])"},
    {"x: R.Tensor((1, 2, 3, 4, 4), \"float32\")",
     "y = R.nn.conv3d_transpose(x, R.ones(R.shape([2, 2, 1, 2, 2]), dtype=\"float32\"))"},
    {kImage, "y = R.nn.max_pool2d(x, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 0])"},
    {kImage,
     "y = R.nn.avg_pool2d(x, pool_size=[3, 3], padding=[1, 1, 1, 1], "
     "count_include_pad=True)"},
    {"x: R.Tensor((1, 6, 5, 4), \"float32\")",
     "y = R.nn.avg_pool2d(x, pool_size=[2, 2], strides=[2, 2], ceil_mode=True, layout=\"NHWC\")"},
    {kLine, "y = R.nn.max_pool1d(x, pool_size=[3], strides=[2])"},
    {kLine, "y = R.nn.avg_pool1d(x, pool_size=[3])"},
    {"x: R.Tensor((1, 2, 3, 4, 4), \"float32\")", "y = R.nn.max_pool3d(x, pool_size=[2, 2, 2])"},
    {"x: R.Tensor((1, 2, 3, 4, 4), \"float32\")", "y = R.nn.avg_pool3d(x, pool_size=[2, 2, 2])"},
    {kLine, "y = R.nn.adaptive_avg_pool1d(x, output_size=[3])"},
    {kImage, "y = R.nn.adaptive_avg_pool2d(x, output_size=[1, 1])"},
    {"x: R.Tensor((1, 2, 3, 4, 4), \"float32\")",
     "y = R.nn.adaptive_avg_pool3d(x, output_size=[1, 2, 2])"},
    {kImage, "y = R.image.resize2d(x, R.shape([12, 9]), method=\"linear\")"},
    {kImage,
     "y = R.image.resize2d(x, R.shape([12, 3]), method=\"nearest_neighbor\", "
     "coordinate_transformation_mode=\"asymmetric\", rounding_method=\"floor\")"},
    {kImage,
     "a = R.nn.batch_norm(x, R.const([1.0, 2.0, 3.0, 4.0], \"float32\"), R.const([0.1, "
     "0.2, 0.3, 0.4], \"float32\"), R.const([0.0, 0.1, 0.2, 0.3], \"float32\"), "
     "R.const([1.0, 1.5, 0.5, 2.0], \"float32\"), axis=1, training=False); y = a[0]"},
    {kMatrix,
     "y = R.nn.layer_norm(x, R.const([1.0, 2.0, 3.0, 4.0], \"float32\"), R.const([0.1, "
     "0.2, 0.3, 0.4], \"float32\"), axes=[-1])"},
    {kMatrix, "y = R.nn.rms_norm(x, R.const([1.0, 2.0, 3.0, 4.0], \"float32\"), axes=[-1])"},
    // Symbolic sizes.
    {kSymbolic, "y = R.reshape(x, R.shape([n * 2, 2]))"},
    {kSymbolic, "a = R.concat((x, x), axis=0); y = R.reshape(a, R.shape([2, n, 4]))"},
    {kSymbolic, "y = R.broadcast_to(R.sum(x, axis=[0]), R.shape([n * 2 + 1, 4]))"},
    // Results that are inputs, constants, tuples.
    {kMatrix, "y = x"},
    {kMatrix, "y = (x, R.const([1.0, 2.0], \"float32\"), x)"},
};

std::string TextOf(const WrittenProgram& program) {
  std::string text =
      "from tvm.script import ir as I\nfrom tvm.script import tir as T\n"
      "from tvm.script import relax as R\n\n@R.function\ndef main(";
  absl::StrAppend(&text, program.params, "):\n");
  if (std::string(program.body).find(" n ") != std::string::npos ||
      std::string(program.body).find("[n ") != std::string::npos) {
    absl::StrAppend(&text, "    n = T.int64()\n");
  }
  for (absl::string_view line : absl::StrSplit(program.body, "; ")) {
    absl::StrAppend(&text, "    ", line, "\n");
  }
  return text + "    return y\n";
}

std::vector<interp::TensorRef> ArraysIn(const std::string& path) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  std::vector<interp::TensorRef> out;
  const auto bytes = ReadFile(path);
  EXPECT_TRUE(bytes.ok()) << path;
  const auto members = interp::ReadNpzMembers(*bytes, *budget);
  EXPECT_TRUE(members.ok());
  for (const interp::ZipMember& member : *members) {
    out.push_back(*interp::ReadNpy(member.bytes, budget));
  }
  return out;
}

double RealOf(const interp::Tensor& tensor, uint64_t i) {
  const interp::Scalar value = tensor.At(i);
  return interp::ToDouble(value.dtype, value.bits);
}

void ExpectSameResults(const std::string& a, const std::string& b, const std::string& what) {
  const auto expected = ArraysIn(a), actual = ArraysIn(b);
  ASSERT_EQ(expected.size(), actual.size()) << what;
  for (size_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(expected[k]->shape, actual[k]->shape) << what;
    ASSERT_EQ(ToString(expected[k]->dtype), ToString(actual[k]->dtype)) << what;
    for (uint64_t i = 0; i < expected[k]->num_elements(); ++i) {
      const double x = RealOf(*expected[k], i), y = RealOf(*actual[k], i);
      const bool equal =
          std::isnan(x) ? std::isnan(y) : std::abs(x - y) <= 2e-6 * (1 + std::abs(x));
      ASSERT_TRUE(x == y || equal) << what << ": element " << i << " is " << y << ", not " << x;
    }
  }
}

TEST(WriteOnnxTest, WrittenModelsComputeTheSame) {
  const ScratchDirectory folder;
  std::set<std::string> written;
  for (const WrittenProgram& program : kPrograms) {
    const std::string text = TextOf(program);
    ASSERT_TRUE(WriteFile("m.py", text).ok());
    const LatheRun inspected = RunLatheWords("inspect m.py --format onnx -o m.onnx");
    ASSERT_EQ(inspected.exit, 0) << text << inspected.err;
    const LatheRun first = RunLatheWords("run m.py --random seed=3 -D n=3 -o a.npz");
    const bool symbolic = std::string(program.params) == kSymbolic;
    const LatheRun program_run =
        symbolic ? first : RunLatheWords("run m.py --random seed=3 -o a.npz");
    ASSERT_EQ(program_run.exit, 0) << text << program_run.err;
    const LatheRun model_run =
        RunLatheWords(std::string("run m.onnx --numerics onnx --random seed=3 -o b.npz") +
                      (symbolic ? " -D n=3" : ""));
    ASSERT_EQ(model_run.exit, 0) << text << model_run.err;
    ExpectSameResults("a.npz", "b.npz", text);
    for (const onnx::WriterRow& row : onnx::WriterRows()) {
      const std::string call = "R." + std::string(row.relax.substr(6)) + "(";
      if (text.find(call) != std::string::npos) written.insert(std::string(row.relax));
    }
  }
  for (const onnx::WriterRow& row : onnx::WriterRows()) {
    EXPECT_TRUE(written.contains(std::string(row.relax))) << row.relax << " has no program";
  }
}

TEST(WriteOnnxTest, BranchesUseValuesAroundThem) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", R"(
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2, 3), "float32"):
    a = R.exp(x)
    if c:
        b = R.add(a, x)
        y = R.negative(b)
    else:
        y = R.multiply(a, x)
    return y
)")
                  .ok());
  ASSERT_EQ(RunLatheWords("inspect m.py --format onnx -o m.onnx").exit, 0);
  for (const char* seed : {"1", "2", "3", "4"}) {
    const std::string random = std::string(" --random seed=") + seed;
    ASSERT_EQ(RunLatheWords("run m.py -o a.npz" + random).exit, 0);
    ASSERT_EQ(RunLatheWords("run m.onnx -o b.npz" + random).exit, 0);
    ExpectSameResults("a.npz", "b.npz", seed);
  }
}

TEST(WriteOnnxTest, LoopNestsBecomeNodes) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", R"(
from tvm.script import ir as I
from tvm.script import tir as T
from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def softmax(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), out: T.Buffer((T.int64(3), T.int64(2)), "float32")):
        T.func_attr({"operator_name": "turned_softmax"})
        largest = T.alloc_buffer((T.int64(2),))
        total = T.alloc_buffer((T.int64(2),))
        for i, k in T.grid(T.int64(2), T.int64(3)):
            with T.block("largest"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    largest[vi] = T.float32("-inf")
                largest[vi] = T.max(largest[vi], x[vi, vk])
        for i, k in T.grid(T.int64(2), T.int64(3)):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + T.exp(x[vi, vk] - largest[vi])
        for i, k in T.grid(T.int64(2), T.int64(3)):
            with T.block("out"):
                vi, vk = T.axis.remap("SS", [i, k])
                out[vk, vi] = T.exp(x[vi, vk] - largest[vi]) / total[vi]

    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
        cls = Module
        y = R.call_tir(cls.softmax, (x,), out_sinfo=R.Tensor((3, 2), "float32"))
        return y
)")
                  .ok());
  const LatheRun inspected = RunLatheWords("inspect m.py --format onnx -o m.onnx");
  ASSERT_EQ(inspected.exit, 0) << inspected.err;
  ASSERT_EQ(RunLatheWords("run m.py --random seed=1 -o a.npz").exit, 0);
  ASSERT_EQ(RunLatheWords("run m.onnx --random seed=1 -o b.npz").exit, 0);
  ExpectSameResults("a.npz", "b.npz", "softmax");
  const LatheRun read = RunLatheWords("inspect m.onnx");
  for (const char* op : {"R.max(", "R.sum(", "R.exp(", "R.divide(", "R.permute_dims("}) {
    EXPECT_THAT(read.out, HasSubstr(op));
  }
}

// Everything that cannot be written is named at once, but not what depends on it.
TEST(WriteOnnxTest, UnsupportedOperatorsAreListed) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", R"(
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32"), b: R.Tensor((3,), "float32")):
    a = R.bucketize(x, b)
    c = R.bucketize(x, b)
    d = R.add(a, c)
    e = R.nn.pad(x, pad_width=[1, 1])
    f = R.median(e, axis=[0])
    return (d, f)
)")
                  .ok());
  const LatheRun run = RunLatheWords("inspect m.py --format onnx -o m.onnx");
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("cannot be written as ONNX: R.bucketize (2 times), R.median"));
  EXPECT_THAT(run.err, HasSubstr("[onnx-write-unsupported]"));
  EXPECT_THAT(run.err, ::testing::Not(HasSubstr("R.add")));
  EXPECT_FALSE(ReadFile("m.onnx").ok());
}

TEST(WriteOnnxTest, OptionsThatDoNotApplyAreRefused) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", TextOf(kPrograms[0])).ok());
  for (const char* option : {"--after normalize", "--show-info", "--dialect classic"}) {
    const LatheRun run =
        RunLatheWords(std::string("inspect m.py --format onnx -o m.onnx ") + option);
    EXPECT_EQ(run.exit, 1) << option;
    EXPECT_THAT(run.err, HasSubstr("is not for --format onnx"));
  }
}

}  // namespace
}  // namespace lathe
