// The distance at which the input of a kernel may lie above its output.
#include "generator/plan/overlap_distance.h"

#include <string>
#include <variant>

#include "absl/strings/str_replace.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/target/target.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::plan {
namespace {

// The distance of a kernel with these loops, from x of `in` elements to y of `out` elements.
std::optional<int64_t> DistanceOf(const std::string& loops, int in, int out,
                                  const char* dtype = "int8", const char* to = "int8") {
  const std::string text = absl::StrReplaceAll(R"(
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(x: T.Buffer((IN,), "DTYPE"), k: T.Buffer((8,), "int32"), y: T.Buffer((OUT,), "TO")):
LOOPS
    @R.function
    def main(a: R.Tensor((IN,), "DTYPE"), k: R.Tensor((8,), "int32")):
        b = R.negative(a)
        c = R.call_tir(Module.kernel, (b, k), R.Tensor((OUT,), "TO"))
        return R.negative(c)
)",
                                               {{"LOOPS", loops},
                                                {"DTYPE", dtype},
                                                {"TO", to},
                                                {"IN", std::to_string(in)},
                                                {"OUT", std::to_string(out)}});
  lathe::testing::ReadProgram read = lathe::testing::ReadText(text);
  EXPECT_TRUE(read.module) << read.problems;
  Diagnostics diags;
  const Target& target = *FindTarget("generic-c99");
  const auto module =
      driver::PrepareForLowering(*read.context, *std::move(read.module), target, {}, diags);
  EXPECT_TRUE(module.ok()) << module.status();
  driver::GenerateOptions options;
  options.fusion = {false, schedule::LayerJoins::kNone};
  const auto model = driver::GenerateModel(*read.context, *module, target, "model", options, diags);
  EXPECT_TRUE(model.ok()) << model.status();
  const ir::Program& program = model->program;
  for (const ir::Step& step : program.routines[ir::RoutineId{0}].steps) {
    const auto* call = std::get_if<ir::KernelStep>(&step.node);
    if (call == nullptr || program.kernels[call->kernel].name != "kernel") continue;
    int64_t visits = kMaxProgramVisits;
    return OverlapDistance(program, *call, call->tensors[0], call->tensors[2], visits);
  }
  ADD_FAILURE() << "no step calls the kernel";
  return std::nullopt;
}

TEST(OverlapDistanceTest, AnElementMayBeReplacedByItsResult) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(64):
            y[i] = x[i] + T.int8(1)
)",
                       64, 64),
            0);
}

// More elements than a walk visits.
TEST(OverlapDistanceTest, LongLoopsOverEqualIndicesNeedNoWalk) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(4000000):
            y[i] = x[i] + T.int8(1)
)",
                       4000000, 4000000),
            0);
}

TEST(OverlapDistanceTest, LongLoopsOverOtherIndicesAreUnknown) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(3999999):
            y[i] = x[i + 1]
)",
                       4000000, 3999999),
            std::nullopt);
}

TEST(OverlapDistanceTest, EarlierElementsMustSurvive) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(61):
            y[i] = x[i] + x[i + 3]
)",
                       64, 61),
            0);
  EXPECT_EQ(DistanceOf(R"(
        for i in range(64):
            y[i] = x[T.max(i - 3, 0)]
)",
                       64, 64),
            3);
}

TEST(OverlapDistanceTest, AReversalNeedsAllButOne) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(64):
            y[i] = x[63 - i]
)",
                       64, 64),
            63);
}

TEST(OverlapDistanceTest, AnElementThatIsReadLaterMustBeAboveAllWrites) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(32):
            y[i] = x[i]
        y[32] = x[5]
)",
                       64, 33),
            27);
}

TEST(OverlapDistanceTest, OnlyTheTakenBranchIsRead) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(64):
            y[i] = T.if_then_else(i < 0, x[0], x[i])
)",
                       64, 64),
            0);
}

TEST(OverlapDistanceTest, LargerElementsCountInBytes) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(64):
            y[i] = x[T.max(i - 3, 0)]
)",
                       64, 64, "float32", "float32"),
            12);
}

TEST(OverlapDistanceTest, ResultsThatGrowAreWrittenAheadOfTheData) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(32):
            y[2 * i] = x[i]
            y[2 * i + 1] = x[i]
)",
                       32, 64),
            32);
}

TEST(OverlapDistanceTest, IndicesFromDataAreUnknown) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(8):
            y[i] = x[T.floormod(k[i], 8)]
)",
                       8, 8),
            std::nullopt);
}

TEST(OverlapDistanceTest, OtherDtypesShareNothing) {
  EXPECT_EQ(DistanceOf(R"(
        for i in range(8):
            y[i] = T.Cast("int32", x[i])
)",
                       8, 8, "float32", "int32"),
            std::nullopt);
}

}  // namespace
}  // namespace lathe::plan
