// Repeated expressions of kernels get names, loops of one iteration are removed, and what a user
// wrote stays.
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kProgram[] = R"(from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def by_hand(x: T.Buffer((1, 4), "float32"), y: T.Buffer((1, 4), "float32")):
        for i, j in T.grid(1, 4):
            y[i, j] = T.exp(x[i, j]) * T.exp(x[i, j])

    @R.function
    def regions(data: R.Tensor((1, 1, 4, 4), "float32"), rois: R.Tensor((2, 5), "float32")):
        return R.vision.roi_pool(data, rois, pooled_size=(2, 2), spatial_scale=1.0)

    @R.function
    def pool(x: R.Tensor((1, 2, 4, 4), "float32")):
        return R.nn.max_pool2d(x, pool_size=(2, 2), strides=(2, 2))

    @R.function
    def average(x: R.Tensor((1, 6, 6), "float32")):
        return R.mean(x, axis=[1, 2])

    @R.function
    def written(x: R.Tensor((1, 4), "float32")):
        cls = Module
        return R.call_tir(cls.by_hand, (x,), out_sinfo=R.Tensor((1, 4), "float32"))
)";

// From the comment above the kernel up to the next one.
std::string KernelOf(const std::string& text, const std::string& origin) {
  const std::vector<std::string> parts = absl::StrSplit(text, "\n/* ");
  for (const std::string& part : parts) {
    if (part.rfind(origin, 0) == 0) return part;
  }
  return "";
}

int CountOf(const std::string& text, const std::string& word) {
  return static_cast<int>(std::vector<std::string>(absl::StrSplit(text, word)).size()) - 1;
}

TEST(NameRepeated, NamesRepeatedExpressionsOnce) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.py", kProgram).ok());
  const LatheRun made = RunLatheOn({"compile", "m.py", "-o", "m", "-n", "m"});
  ASSERT_EQ(made.exit, 0) << made.err;
  const std::string text = ReadFile("m/m.c").value_or("");

  const std::string regions = KernelOf(text, "relax.vision.roi_pool");
  // Two ends and two steps for each of two axes, in each of two stages; a scale of 1 is omitted.
  EXPECT_EQ(CountOf(regions, "floorf("), 12) << regions;
  EXPECT_EQ(CountOf(regions, "ceilf("), 4);
  EXPECT_THAT(regions, Not(HasSubstr("* 1.0f")));
  // What does not change in a loop is computed before it.
  EXPECT_LT(regions.find("floorf(rois"), regions.find("for (int64_t i2")) << regions;

  const std::string pool = KernelOf(text, "relax.nn.max_pool2d");
  EXPECT_EQ(CountOf(pool, "data["), 1) << pool;
  EXPECT_THAT(pool, Not(HasSubstr("< 1; ++")));
  EXPECT_THAT(KernelOf(text, "relax.mean"), HasSubstr("/ 36.0f"));

  const std::string by_hand = KernelOf(text, "R.call_tir of by_hand");
  EXPECT_THAT(by_hand, HasSubstr("i < 1; ++i"));
  EXPECT_EQ(CountOf(by_hand, "expf("), 2) << by_hand;

  const LatheRun same = RunLatheOn({"validate", "m.py", "--func", "regions"});
  EXPECT_EQ(same.exit, 0) << same.out << same.err;
}

}  // namespace
}  // namespace lathe
