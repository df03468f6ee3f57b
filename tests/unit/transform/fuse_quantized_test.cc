// Compares integer operators with the definition of what they replace, for random weights, scales
// and data no integer is more than one unit off, and nothing real is left between them.
#include "generator/transform/quantize/fuse_quantized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/verify_graph.h"
#include "generator/target/gpu.h"
#include "tests/support/pass_probe.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Texts of constants and quantised values, from one stream of numbers.
class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  int64_t Int(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random_() % static_cast<uint64_t>(hi - lo + 1));
  }
  std::string Scale(double lo, double hi) {
    return absl::StrCat(lo + (hi - lo) * static_cast<double>(Int(0, 1000)) / 1000);
  }
  // Nested lists of numbers.
  std::string List(const std::vector<int64_t>& dims, int64_t lo, int64_t hi, size_t at = 0) {
    if (at == dims.size()) return absl::StrCat(Int(lo, hi));
    std::vector<std::string> parts;
    for (int64_t i = 0; i < dims[at]; ++i) parts.push_back(List(dims, lo, hi, at + 1));
    return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
  }
  std::string Scales(int64_t count, double lo, double hi) {
    std::vector<std::string> parts;
    for (int64_t i = 0; i < count; ++i) parts.push_back(Scale(lo, hi));
    return absl::StrCat("R.const([", absl::StrJoin(parts, ", "), "], \"float32\")");
  }
  std::string Zeros(int64_t count, const std::string& dtype) {
    return absl::StrCat("R.const([",
                        absl::StrJoin(std::vector<int>(static_cast<size_t>(count)), ", "), "], \"",
                        dtype, "\")");
  }
  // `scale, zero point, out_dtype` of a call of R.quantize, and the same for R.dequantize.
  struct Affine {
    std::string up, down;
  };
  Affine Of(double lo, double hi) {
    const bool is_signed = Int(0, 1) == 0;
    const std::string dtype = is_signed ? "int8" : "uint8";
    const std::string both =
        absl::StrCat("R.const(", Scale(lo, hi), ", \"float32\"), R.const(",
                     is_signed ? Int(-128, 127) : Int(0, 255), ", \"", dtype, "\")");
    return {both, absl::StrCat(both, ", out_dtype=\"", dtype, "\"")};
  }
  // Weights with a scale for each place of the first axis.
  std::string Weights(const std::vector<int64_t>& dims) {
    return absl::StrCat("R.dequantize(R.const(", List(dims, -127, 127), ", \"int8\"), ",
                        Scales(dims[0], 0.001, 0.02), ", ", Zeros(dims[0], "int8"), ", axis=0)");
  }

 private:
  std::mt19937 random_;
};

struct Outcome {
  std::vector<double> values;
  std::string printed;
};

// What `body` computes from `params`, with its operators in integers
// as for `target`; null: not.
Outcome Evaluated(const std::string& params, const std::string& body, uint64_t seed,
                  const char* target) {
  const std::string text = absl::StrCat(
      "from tvm.script import ir as I, relax as R, tir as T\n\n\n@I.ir_module\nclass Module:\n"
      "    @R.function\n    def main(",
      params, "):\n        with R.dataflow():\n            ",
      absl::StrReplaceAll(body, {{"\n", "\n            "}}),
      "\n            R.output(y)\n        return y\n");
  Outcome outcome;
  ir::Context context;
  Diagnostics diags;
  const SourceFile file("program.py", text);
  auto module = driver::LoadModule(context, file, diags);
  EXPECT_TRUE(module.has_value()) << testing::Errors(diags) << text;
  if (!module) return outcome;
  if (target != nullptr) {
    const bool cuda = CudaTarget().name == target;
    PassContext pass{context, diags, cuda ? &CudaTarget() : FindTarget(target)};
    EXPECT_TRUE(driver::ApplyPasses(pass, "fuse_quantized", *module).ok());
    EXPECT_EQ(testing::FormProblems(context, *module), "");
    EXPECT_EQ(testing::PrintingProblems(*module), "");
  }
  outcome.printed = ir::PrintTvmScript(*module, {});
  interp::Interpreter interpreter(context, *module);
  driver::RunOptions options;
  options.func = "main";
  options.seed = seed;
  auto args = driver::CollectInputs(interpreter, *module->Find("main"), options);
  EXPECT_TRUE(args.ok());
  const auto value = interpreter.Run(*module->Find("main"), *std::move(args), diags);
  EXPECT_TRUE(value.ok()) << testing::Errors(diags);
  if (!value.ok() || value->AsTensor() == nullptr) return outcome;
  const interp::Tensor& tensor = *value->AsTensor();
  for (uint64_t i = 0; i < tensor.num_elements(); ++i) {
    outcome.values.push_back(tensor.At(i).AsDouble());
  }
  return outcome;
}

// Counts what is compared, so that a test shows that it did, and what differs.
struct Compared {
  int elements = 0;
  int off = 0;
};

void ExpectWithinOne(const std::string& params, const std::string& body, uint64_t seed,
                     Compared& compared) {
  // Blocks of columns, and panels.
  const Outcome want = Evaluated(params, body, seed, nullptr);
  const Outcome got = Evaluated(params, body, seed, seed % 2 == 0 ? "generic-c99" : "x86-64");
  EXPECT_THAT(got.printed, Not(HasSubstr("R.dequantize("))) << body;
  // GPUs come to the same integers, each element on its own.
  const Outcome each = Evaluated(params, body, seed, "cuda");
  EXPECT_THAT(each.printed, Not(HasSubstr("R.dequantize("))) << body;
  EXPECT_EQ(each.values, got.values) << body;
  ASSERT_EQ(want.values.size(), got.values.size());
  for (size_t i = 0; i < want.values.size(); ++i) {
    ASSERT_LE(std::abs(want.values[i] - got.values[i]), 1) << "element " << i << " of\n" << body;
    ++compared.elements;
    compared.off += want.values[i] == got.values[i] ? 0 : 1;
  }
}

std::string Params(const std::string& shape, const std::string& more = "") {
  return absl::StrCat("x: R.Tensor((", shape, "), \"float32\")", more);
}

TEST(FuseQuantizedTest, ConvolutionsAreWithinOne) {
  Compared compared;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    Maker m(seed);
    const bool depthwise = seed % 3 == 1;
    const int64_t groups = depthwise ? 1 : m.Int(1, 2);
    const int64_t in = groups * m.Int(1, 5);
    const int64_t out = depthwise ? in : groups * m.Int(1, seed % 4 == 3 ? 20 : 5);
    const int64_t kh = m.Int(1, 3), kw = m.Int(1, 3), h = m.Int(5, 8), w = m.Int(5, 8);
    const int64_t n = m.Int(1, 2);
    const auto xa = m.Of(0.005, 0.02), ya = m.Of(0.01, 0.1);
    const std::string activation[] = {"", "R.nn.relu", "R.nn.relu6"};
    const std::string act = activation[seed % 3 == 0 ? 0 : m.Int(0, 2)];
    const std::string pads = absl::StrCat("[", m.Int(0, 1), ", ", m.Int(0, 2), ", ", m.Int(0, 2),
                                          ", ", m.Int(0, 1), "]");
    const std::string body = absl::StrCat(
        "q = R.quantize(x, ", xa.down, ")\nxr = R.dequantize(q, ", xa.up,
        ")\nw = ", m.Weights({out, depthwise ? 1 : in / groups, kh, kw}),
        "\nb = R.dequantize(R.const(", m.List({out}, -3000, 3000),
        ", \"int32\"), R.const(0.0001, \"float32\"), R.const(0, \"int32\"))\n",
        "c = R.nn.conv2d(xr, w, strides=[", m.Int(1, 2), ", ", m.Int(1, 2), "], padding=", pads,
        ", dilation=[", m.Int(1, 2), ", ", m.Int(1, 2), "], groups=", depthwise ? in : groups,
        ")\nd = R.add(c, R.reshape(b, R.shape([1, ", out, ", 1, 1])))\n",
        act.empty() ? "e = d" : absl::StrCat("e = ", act, "(d)"), "\ny = R.quantize(e, ", ya.down,
        ")");
    ExpectWithinOne(Params(absl::StrCat(n, ", ", in, ", ", h, ", ", w)), body, seed, compared);
  }
  EXPECT_GE(compared.elements, 1500);
  EXPECT_LE(compared.off, compared.elements / 50);
}

TEST(FuseQuantizedTest, ProductsOfMatricesAreWithinOne) {
  Compared compared;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Maker m(seed);
    const int64_t rows = m.Int(1, 5), depth = m.Int(1, 40), columns = m.Int(1, 9);
    const auto xa = m.Of(0.005, 0.02), ya = m.Of(0.02, 0.2);
    const std::string body = absl::StrCat("q = R.quantize(x, ", xa.down, ")\nxr = R.dequantize(q, ",
                                          xa.up, ")\nw = ", m.Weights({columns, depth}),
                                          "\nwt = R.permute_dims(w)\nc = R.matmul(xr, wt)\n",
                                          "y = R.quantize(c, ", ya.down, ")");
    ExpectWithinOne(Params(absl::StrCat(rows, ", ", depth)), body, seed, compared);
  }
  EXPECT_GE(compared.elements, 200);
  EXPECT_LE(compared.off, compared.elements / 20);
}

TEST(FuseQuantizedTest, SumsAndProductsAreWithinOne) {
  Compared compared;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    Maker m(seed);
    const auto xa = m.Of(0.002, 0.02), za = m.Of(0.002, 0.02), ya = m.Of(0.005, 0.05);
    const std::string ops[] = {"add", "subtract", "multiply"};
    const std::string body = absl::StrCat(
        "q = R.quantize(x, ", xa.down, ")\np = R.quantize(z, ", za.down, ")\nc = R.",
        ops[m.Int(0, 2)], "(R.dequantize(q, ", xa.up, "), R.dequantize(p, ", za.up,
        "))\ne = R.nn.relu(c)\ny = R.quantize(", m.Int(0, 1) == 0 ? "c" : "e", ", ", ya.down, ")");
    ExpectWithinOne(Params("4, 50", ", z: R.Tensor((4, 50), \"float32\")"), body, seed, compared);
  }
  EXPECT_EQ(compared.elements, 4800);
  EXPECT_LE(compared.off, compared.elements / 50);
}

TEST(FuseQuantizedTest, PoolsAndConcatsAreWithinOne) {
  Compared compared;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    Maker m(seed);
    const auto xa = m.Of(0.005, 0.02), ya = m.Of(0.004, 0.02);
    const std::string ops[] = {
        "R.nn.avg_pool2d(xr, pool_size=[3, 2], strides=[2, 1])",
        "R.nn.max_pool2d(xr, pool_size=[2, 3], strides=[1, 2], padding=[1, 1, 0, 1])",
        "R.mean(xr, axis=[2, 3], keepdims=True)",
        "R.concat((xr, R.dequantize(R.nn.relu(q), " + xa.up + ")), axis=1)",
        "R.reshape(xr, R.shape([2, 63]))",
    };
    const std::string body =
        absl::StrCat("q = R.quantize(x, ", xa.down, ")\nxr = R.dequantize(q, ", xa.up,
                     ")\nc = ", ops[seed % 5], "\ny = R.quantize(c, ", ya.down, ")");
    ExpectWithinOne(Params("1, 3, 6, 7"), body, seed, compared);
  }
  EXPECT_GE(compared.elements, 1000);
  EXPECT_LE(compared.off, compared.elements / 50);
}

TEST(FuseQuantizedTest, TablesAreExact) {
  Compared compared;
  const std::string ops[] = {"R.sigmoid(xr)",
                             "R.tanh(xr)",
                             "R.nn.leakyrelu(xr, 0.2)",
                             "R.multiply(xr, R.sigmoid(xr))",
                             "R.nn.gelu(xr)",
                             "R.clip(xr, -0.5, 0.4)",
                             "R.exp(R.multiply(xr, R.const(2, \"float32\")))",
                             "xr"};
  for (uint32_t seed = 0; seed < 24; ++seed) {
    Maker m(seed);
    const auto xa = m.Of(0.005, 0.02), ya = m.Of(0.002, 0.02);
    const std::string body =
        absl::StrCat("q = R.quantize(x, ", xa.down, ")\nxr = R.dequantize(q, ", xa.up,
                     ")\nc = ", ops[seed % 8], "\ny = R.quantize(c, ", ya.down, ")");
    ExpectWithinOne(Params("200,"), body, seed, compared);
  }
  EXPECT_EQ(compared.elements, 24 * 200);
  EXPECT_EQ(compared.off, 0);
}

// A separate scale for each reduced element cannot be undone by one factor.
TEST(FuseQuantizedTest, UnknownFormsStayReal) {
  const std::string head =
      "q = R.quantize(x, R.const(0.01, \"float32\"), R.const(0, \"int8\"))\n"
      "xr = R.dequantize(q, R.const(0.01, \"float32\"), R.const(0, \"int8\"))\n";
  const std::string tail = "\ny = R.quantize(c, R.const(0.1, \"float32\"), R.const(0, \"int8\"))";
  for (const std::string& middle :
       {std::string("w = R.dequantize(R.const([[1, 2], [3, 4]], \"int8\"), "
                    "R.const([0.1, 0.2], \"float32\"), R.const([0, 0], \"int8\"), axis=0)\n"
                    "c = R.matmul(xr, w)"),
        std::string("c = R.cumsum(xr, axis=1)"), std::string("c = R.matmul(xr, xr)")}) {
    const Outcome fused = Evaluated(Params("2, 2"), head + middle + tail, 1, "generic-c99");
    EXPECT_THAT(fused.printed, HasSubstr("R.dequantize(")) << middle;
    EXPECT_EQ(fused.values, Evaluated(Params("2, 2"), head + middle + tail, 1, nullptr).values);
  }
}

// Integer products whose results stay real numbers clamp them as the operators after them do.
TEST(FuseQuantizedTest, RealResultsAreClamped) {
  const std::string product =
      "q = R.quantize(x, R.const(0.01, \"float32\"), R.const(0, \"int8\"))\n"
      "xr = R.dequantize(q, R.const(0.01, \"float32\"), R.const(0, \"int8\"))\n"
      "w = R.dequantize(R.const([[1, -2], [3, 4]], \"int8\"), R.const(0.1, \"float32\"), "
      "R.const(0, \"int8\"))\n"
      "c = R.matmul(xr, w)\n";
  for (const char* clamps :
       {"y = R.nn.relu(c)", "m = R.minimum(c, R.const(0.05, \"float32\"))\ny = R.nn.relu(m)",
        "m = R.clip(c, R.prim_value(T.float32(0.02)), R.prim_value(T.float32(0.04)))\n"
        "y = R.nn.relu(m)"}) {
    const std::string body = absl::StrCat(product, clamps);
    const Outcome want = Evaluated(Params("6, 2"), body, 1, nullptr);
    const Outcome got = Evaluated(Params("6, 2"), body, 1, "generic-c99");
    EXPECT_THAT(got.printed, Not(HasSubstr("R.nn.relu("))) << body;
    ASSERT_EQ(want.values.size(), got.values.size());
    for (size_t i = 0; i < want.values.size(); ++i) {
      EXPECT_NEAR(want.values[i], got.values[i], 1e-6) << "element " << i << " of\n" << body;
    }
  }
}

}  // namespace
}  // namespace lathe
