// Tests the writer of ONNX where ONNX and Relax differ: values at the edges of dtypes, names that
// share a value, dtypes that ONNX does not define, and results that are not tensors.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

// A function main with these parameters; lines of the body are separated by "; ".
struct EdgeProgram {
  const char* params;
  const char* body;
  const char* refusal = "";  // part of the message of a program that is not written
};

std::string TextOf(const EdgeProgram& program) {
  std::string text = absl::StrCat(
      "from tvm.script import relax as R\nfrom tvm.script import tir as T\n\n@R.function\ndef "
      "main(",
      program.params, "):\n");
  for (absl::string_view line : absl::StrSplit(program.body, "; ")) {
    absl::StrAppend(&text, "    ", line, "\n");
  }
  return text;
}

void ExpectEqualBytes(const std::string& text) {
  ASSERT_TRUE(WriteFile("m.py", text).ok());
  const LatheRun inspected = RunLatheWords("inspect m.py --format onnx -o m.onnx");
  ASSERT_EQ(inspected.exit, 0) << text << inspected.err;
  const LatheRun first = RunLatheWords("run m.py --numerics onnx --random seed=3 -o a.npz");
  ASSERT_EQ(first.exit, 0) << text << first.err;
  const LatheRun second = RunLatheWords("run m.onnx --numerics onnx --random seed=3 -o b.npz");
  ASSERT_EQ(second.exit, 0) << text << second.err;
  const LatheRun plain = RunLatheWords("run m.py --numerics onnx --random seed=3");
  const LatheRun written = RunLatheWords("run m.onnx --numerics onnx --random seed=3");
  EXPECT_EQ(*ReadFile("a.npz"), *ReadFile("b.npz")) << text << plain.out << written.out;
}

constexpr char kSquare[] = "x: R.Tensor((3, 3), \"float32\")";
constexpr char kTwoSquares[] = "x: R.Tensor((3, 3), \"float32\"), w: R.Tensor((3, 3), \"float32\")";
constexpr char kFour[] = "x: R.Tensor((4,), \"int32\")";
constexpr char kBytesLine[] = "x: R.Tensor((4,), \"int8\")";

const EdgeProgram kEqualPrograms[] = {
    // A product that a second name keeps is not removed.
    {kTwoSquares,
     "a = R.matmul(x, w); b = a; c = R.add(b, R.const([1.0, 2.0, 3.0], \"float32\")); "
     "return (c, a)"},
    {kTwoSquares,
     "a = R.matmul(x, w); b = a; c = R.add(a, R.const([1.0, 2.0, 3.0], \"float32\")); "
     "return (c, b)"},
    // A permutation that changes nothing is no transposition.
    {kTwoSquares,
     "t = R.permute_dims(w, axes=[0, 1]); a = R.matmul(x, t); "
     "return R.add(a, R.const([1.0, 2.0, 3.0], \"float32\"))"},
    {kTwoSquares,
     "t = R.permute_dims(w, axes=[-1, 0]); a = R.matmul(x, t); "
     "return R.add(a, R.const([1.0, 2.0, 3.0], \"float32\"))"},
    {kBytesLine, "return R.clip(x, -1000, 1000)"},
    {kBytesLine, "return R.clip(x, 3, 1000)"},
    {kSquare, "return R.sum(x, axis=[])"},
    {kSquare, "return R.max(x, axis=[], keepdims=True)"},
    {kFour,
     "z = R.multiply(x, R.const(0, \"int32\")); "
     "a = R.add(z, R.const([-2147483648, 2147483647, -7, 7], \"int32\")); "
     "b = R.add(z, R.const([3, -2, 2, -2], \"int32\")); return R.floor_divide(a, b)"},
    {kFour,
     "z = R.multiply(x, R.const(0, \"int32\")); "
     "a = R.add(z, R.const([-1, 0, 3, 4], \"int32\")); "
     "return R.one_hot(a, R.prim_value(1), R.prim_value(0), depth=4, axis=-1)"},
    {kBytesLine, "return R.nn.pad(x, pad_width=[1, 1], pad_value=300.0)"},
    {kFour, "return R.topk(x, k=9, axis=0, ret_type=\"values\")"},
    {"x: R.Tensor((4, 3, 2), \"float32\")", "return R.nn.pixel_shuffle(x, upscale_factor=2)"},
    {"x: R.Tensor((2, 0, 4, 3, 2), \"float32\")", "return R.nn.pixel_shuffle(x, upscale_factor=2)"},
    {"x: R.Tensor((3, 4), \"float32\")",
     "return R.take(x, R.const([2, 0], \"int8\"), axis=0, mode=\"clip\")"},
    {"x: R.Tensor((3, 4), \"float32\")",
     "return R.gather_elements(x, R.const([[2], [0], [1]], \"uint8\"), axis=1)"},
    {"x: R.Tensor((4,), \"int8\")", "a = R.astype(x, \"int4\"); return R.astype(a, \"int32\")"},
    {"x: R.Tensor((4,), \"int32\")",
     "return R.add(R.astype(R.const([1, -8, 7, 0], \"int4\"), \"int32\"), x)"},
    {"x: R.Tensor((2, 3), \"float32\")",
     "return R.quantize(x, R.const(0.5, \"float32\"), R.const([1, 2, 3], \"int8\"), axis=1, "
     "out_dtype=\"int8\")"},
};

TEST(WrittenEdgesTest, ValuesAtTheEdgesAreEqual) {
  const ScratchDirectory folder;
  for (const EdgeProgram& program : kEqualPrograms) ExpectEqualBytes(TextOf(program));
}

const EdgeProgram kRefusedPrograms[] = {
    {"x: R.Tensor((2, 3, 3), \"float32\"), w: R.Tensor((3, 3), \"float32\")",
     "return R.nn.layer_norm(x, w, w, axes=[-1, -2])", "axes that are not the last ones in order"},
    {"x: R.Tensor((2, 3, 3), \"float32\"), w: R.Tensor((3, 3), \"float32\")",
     "return R.nn.rms_norm(x, w, axes=[2, 1])", "axes that are not the last ones in order"},
    {kBytesLine, "return R.sum(x)", "R.sum (ReduceSum of int8, not of float32, int32"},
    {"x: R.Tensor((4,), \"bool\")", "return R.sum(x)", "ReduceSum of bool"},
    {kBytesLine, "return R.cumsum(x, axis=0)", "CumSum of int8"},
    {"x: R.Tensor((4,), \"uint8\")", "return R.negative(x)", "Neg of uint8"},
    {"x: R.Tensor((4,), \"uint8\")", "return R.nn.relu(x)", "Relu of uint8"},
    {kFour, "return R.isnan(x)", "IsNaN of int32"},
    {kFour, "return R.isfinite(x)", "IsInf of int32"},
    {"x: R.Tensor((4,), \"bool\")", "return R.maximum(x, x)", "Max of bool"},
    {"x: R.Tensor((4,), \"bool\")", "return R.less(x, x)", "Less of bool"},
    {kBytesLine, "return R.power(x, x)", "Pow of int8"},
    {"x: R.Tensor((2, 2), \"int8\")", "return R.matmul(x, x)", "MatMul of int8"},
    {"x: R.Tensor((1, 1, 4, 4), \"int32\")", "return R.nn.max_pool2d(x, pool_size=[2, 2])",
     "MaxPool of int32"},
    {"x: R.Tensor((2, 2), \"bfloat16\")", "return R.einsum((x, x), subscripts=\"ab,bc->ac\")",
     "Einsum of bfloat16"},
    {"x: R.Tensor((1, 1, 4, 4), \"float32\")",
     "return R.image.resize2d(x, R.shape([8, 8]), method=\"linear\", out_dtype=\"float16\")",
     "an out_dtype that is not that of the image"},
    {"x: R.Tensor((1, 1, 4, 4), \"uint8\")",
     "return R.image.resize2d(x, R.shape([8, 8]), method=\"linear\")", "interpolated integers"},
    {"x: R.Tensor((4,), \"float32\")",
     "return R.quantize(x, R.const(0.5, \"float32\"), R.const(200, \"int32\"), "
     "out_dtype=\"int8\")",
     "a zero point that int8 does not have"},
    {"x: R.Tensor(dtype=\"float32\")", "return R.abs(x)",
     "the parameter x (its rank is not known)"},
    {"x: R.Tensor((4,), \"float32\")", "return (x, R.shape([1, 2]))",
     "a result that is not a tensor of ONNX (R.Shape([1, 2]))"},
    {"x: R.Tensor((4,), \"float32\")", "y = R.abs(x); return (y, R.prim_value(3))", ""},
    {"x: R.Tensor((4,), \"float32\")", "return R.shape([1, 2])", "a result that is not a tensor"},
};

TEST(WrittenEdgesTest, WhatOnnxDoesNotDefineIsRefused) {
  const ScratchDirectory folder;
  for (const EdgeProgram& program : kRefusedPrograms) {
    const std::string text = TextOf(program);
    ASSERT_TRUE(WriteFile("m.py", text).ok());
    const LatheRun run = RunLatheWords("inspect m.py --format onnx -o m.onnx");
    EXPECT_EQ(run.exit, 3) << text << run.err;
    EXPECT_THAT(run.err, HasSubstr(program.refusal)) << text;
    EXPECT_THAT(run.err, HasSubstr("[onnx-write-unsupported]")) << text;
    EXPECT_FALSE(ReadFile("m.onnx").ok()) << text;
  }
}

std::string NestedBranches(int count) {
  std::string text =
      "from tvm.script import relax as R\n\n@R.function\n"
      "def main(x: R.Tensor((2,), \"float32\"), c: R.Tensor((), \"bool\")):\n";
  std::string end;
  for (int i = 0; i < count; ++i) {
    const std::string indent(static_cast<size_t>(4 + 2 * i), ' ');
    absl::StrAppend(&text, indent, "if c:\n");
    end = absl::StrCat(indent, "else:\n", indent, "  v", i, " = R.exp(x)\n", end);
    if (i + 1 < count) end = absl::StrCat(indent, "  v", i, " = v", i + 1, "\n", end);
  }
  const std::string deepest(static_cast<size_t>(4 + 2 * count), ' ');
  return absl::StrCat(text, deepest, "v", count - 1, " = R.abs(x)\n", end, "    return v0\n");
}

TEST(WrittenEdgesTest, BranchesAreNestedAsFarAsReadersGo) {
  const ScratchDirectory folder;
  ExpectEqualBytes(NestedBranches(30));
  ASSERT_TRUE(WriteFile("m.py", NestedBranches(31)).ok());
  const LatheRun run = RunLatheWords("inspect m.py --format onnx -o n.onnx");
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("more than 30 nested branches"));
}

// A field of a branch that is not a tensor.
TEST(WrittenEdgesTest, BranchesWithShapesAreRefused) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", R"(
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = (R.exp(x), R.shape([1, 2]))
    else:
        y = (R.abs(x), R.shape([3, 4]))
    z = y[0]
    return z
)")
                  .ok());
  const LatheRun run = RunLatheWords("inspect m.py --format onnx -o m.onnx");
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("a result of R.if that is not a tensor"));
}

// A kernel of one stage: the reduction `update` of `x` from `init`, or a store at `at`.
std::string Kernel(const std::string& stage) {
  return absl::StrCat(R"(
from tvm.script import ir as I
from tvm.script import tir as T
from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(x: T.Buffer((T.int64(4), T.int64(2)), "float32"), out: T.Buffer((T.int64(4), T.int64(2)), "float32")):
)",
                      stage, R"(
    @R.function
    def main(x: R.Tensor((4, 2), "float32")) -> R.Tensor((4, 2), "float32"):
        cls = Module
        y = R.call_tir(cls.k, (x,), out_sinfo=R.Tensor((4, 2), "float32"))
        return y
)");
}

TEST(WrittenEdgesTest, StoresOfAColumnAreRefused) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", Kernel(R"(
        for i, j in T.grid(T.int64(4), T.int64(2)):
            with T.block("all"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = x[vi, vj]
        for i in range(T.int64(4)):
            with T.block("column"):
                vi = T.axis.spatial(T.int64(4), i)
                out[vi, T.int64(0)] = T.float32(7)
)"))
                  .ok());
  const LatheRun run = RunLatheWords("inspect m.py --format onnx -o m.onnx");
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("R.call_tir of k"));
}

TEST(WrittenEdgesTest, ReductionsStartWhereTheKernelDoes) {
  const ScratchDirectory folder;
  for (const char* update : {"T.max(m[vi], x[vi, vk])", "T.min(m[vi], x[vi, vk])",
                             "m[vi] + x[vi, vk]", "m[vi] * x[vi, vk]"}) {
    // Sums and products from the largest numbers are rounded in another order.
    const bool exact = absl::StartsWith(update, "T.m");
    for (const char* init : {"0", "0.125", "-3.4028234663852886e38", "3.4028234663852886e38"}) {
      if (!exact && absl::StrContains(init, "e38")) continue;
      ExpectEqualBytes(Kernel(absl::StrCat(R"(
        m = T.alloc_buffer((T.int64(4),))
        for i, k in T.grid(T.int64(4), T.int64(2)):
            with T.block("m"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    m[vi] = T.float32()",
                                           init, R"()
                m[vi] = )",
                                           update, R"(
        for i, j in T.grid(T.int64(4), T.int64(2)):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = m[vi]
)")));
    }
  }
}

}  // namespace
}  // namespace lathe
