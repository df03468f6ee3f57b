// The distance at which the input of a convolution in a library form may lie above its output.
#include "generator/plan/form_distance.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/plan/overlap_distance.h"
#include "generator/target/target.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::plan {
namespace {

// A list of lists of ones.
std::string Ones(const std::vector<int>& shape, size_t d = 0) {
  if (d == shape.size()) return "1";
  std::vector<std::string> parts(static_cast<size_t>(shape[d]), Ones(shape, d + 1));
  return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
}

// The distance of the convolution `call` of b, in bytes.
std::optional<int64_t> DistanceOf(const std::string& in, const std::vector<int>& weights,
                                  const std::string& call) {
  const std::string text =
      absl::StrReplaceAll(R"(
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(IN, "float32")):
        w = R.const(WEIGHTS, "float32")
        b = R.cumsum(a, axis=1)
        c = CALL
        return R.cumsum(c, axis=1)
)",
                          {{"WEIGHTS", Ones(weights)}, {"CALL", call}, {"IN", in}});
  lathe::testing::ReadProgram read = lathe::testing::ReadText(text);
  EXPECT_TRUE(read.module) << read.problems;
  Diagnostics diags;
  const Target& target = *FindTarget("cortex-m4f");
  const auto module =
      driver::PrepareForLowering(*read.context, *std::move(read.module), target, {}, diags);
  EXPECT_TRUE(module.ok()) << module.status();
  const auto model = driver::GenerateModel(*read.context, *module, target, "model", {}, diags);
  EXPECT_TRUE(model.ok()) << model.status();
  const ir::Program& program = model->program;
  for (const ir::Step& step : program.routines[ir::RoutineId{0}].steps) {
    const auto* kernel = std::get_if<ir::KernelStep>(&step.node);
    if (kernel == nullptr || !program.kernels[kernel->kernel].form) continue;
    int64_t visits = kMaxProgramVisits;
    // The input, the weights, the result, and the kernel's own buffers.
    return OverlapDistance(program, *kernel, kernel->tensors[0], kernel->tensors[2], visits);
  }
  ADD_FAILURE() << "no kernel has a form";
  return std::nullopt;
}

constexpr int kFloat = 4;

// A pixel of 8 channels becomes 8 channels. A block has four rows of the product.
TEST(FormDistanceTest, ProductsStayOneBlockOfRowsAhead) {
  EXPECT_EQ(DistanceOf("(1, 6, 6, 8)", {8, 1, 1, 8},
                       "R.nn.conv2d(b, w, data_layout=\"NHWC\", kernel_layout=\"OHWI\")"),
            4 * 8 * kFloat);
}

// 16 channels of each pixel are written where 8 are read: the last pixels are the farthest.
TEST(FormDistanceTest, WiderResultsRunAhead) {
  EXPECT_EQ(DistanceOf("(1, 6, 6, 8)", {16, 1, 1, 8},
                       "R.nn.conv2d(b, w, data_layout=\"NHWC\", kernel_layout=\"OHWI\")"),
            // A block may begin at row 32, of 36.
            (36 * 16 - 32 * 8) * kFloat);
}

// Line y is written before line y, the first that line y + 1 needs, is read.
TEST(FormDistanceTest, PaddedLinesStayOneLineAhead) {
  EXPECT_EQ(DistanceOf("(1, 6, 6, 8)", {8, 3, 3, 8},
                       "R.nn.conv2d(b, w, padding=(1, 1), data_layout=\"NHWC\", "
                       "kernel_layout=\"OHWI\")"),
            6 * 8 * kFloat);
}

// The copy of the whole input comes before all sums.
TEST(FormDistanceTest, AWholeCopyFreesItsSource) {
  EXPECT_EQ(DistanceOf("(1, 16, 8)", {8, 3, 8},
                       "R.nn.conv1d(b, w, padding=(1, 1), data_layout=\"NWC\", "
                       "kernel_layout=\"OWI\")"),
            0);
}

}  // namespace
}  // namespace lathe::plan
