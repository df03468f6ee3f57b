// Tests slices of a dynamic size: bounds are clamped to the axis, as ONNX defines, in the
// interpreter and in C.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "tests/support/matchers.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::onnx {
namespace {

using testing::OnnxModel;
using testing::OnnxProgram;

using testing::kFloat;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
constexpr int64_t kFront = std::numeric_limits<int64_t>::min();

struct Cut {
  int64_t start, end, step;
};
constexpr Cut kCuts[] = {
    {-8, kEnd, 1},     {10, 20, 1},  {-8, -2, 1},    {-2, 20, 1}, {20, kFront, -1},
    {-8, kFront, -1},  {0, kEnd, 3}, {4, -8, -2},    {10, 1, -3}, {1, 2147483647, 2},
    {-1, kFront, -30}, {3, 1, 1},    {-3, kEnd, 99}, {2, 2, -1},  {-9, -7, 1},
};

// y0, y1, ... are those slices of x, whose length is known at run time.
OnnxModel Parts() {
  OnnxModel m;
  m.Input("x", kFloat, {"n"});
  for (size_t i = 0; i < std::size(kCuts); ++i) {
    const std::string k = absl::StrCat(i);
    m.Ints("start" + k, {1}, {kCuts[i].start});
    m.Ints("end" + k, {1}, {kCuts[i].end});
    m.Ints("step" + k, {1}, {kCuts[i].step});
    m.Node("Slice", {"x", "start" + k, "end" + k, "", "step" + k}, {"y" + k});
    m.Output("y" + k);
  }
  return m;
}

// The result of Python's x[start:end:step] for 0, 1, 2, ...
std::string Wanted(int64_t n, const Cut& cut) {
  const auto place = [&](int64_t at) {
    const int64_t low = cut.step > 0 ? 0 : -1, high = cut.step > 0 ? n : n - 1;
    if (at < -n) return low;
    return std::min(high, std::max(low, at < 0 ? at + n : at));
  };
  std::string elements;
  int64_t count = 0;
  const int64_t end = place(cut.end);
  for (int64_t i = place(cut.start); cut.step > 0 ? i < end : i > end; i += cut.step, ++count) {
    absl::StrAppend(&elements, " ", i);
  }
  return absl::StrCat("(", count, ",):", elements.empty() ? " " : elements);
}

TEST(OnnxSlicesTest, ReachNoFurtherThanTheAxis) {
  OnnxProgram program(Parts().Bytes());
  for (const int64_t n : {0, 1, 3, 6, 8, 11, 25}) {
    std::vector<double> x(static_cast<size_t>(n));
    std::iota(x.begin(), x.end(), 0);
    std::string wanted;
    for (const Cut& cut : kCuts) {
      absl::StrAppend(&wanted, wanted.empty() ? "" : "; ", Wanted(n, cut));
    }
    EXPECT_EQ(program.Run({{{n}, x}}), wanted) << n;
  }
}

TEST(OnnxSlicesTest, ReachNoFurtherInC) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("parts.onnx", Parts().Bytes()), IsOk());
  for (const int n : {0, 6, 25}) {
    const LatheRun run =
        RunLatheOn({"validate", "parts.onnx", "--data", absl::StrCat("random:seed=1,n=", n),
                    "--cflags", "-O0 -fsanitize=address,undefined -fno-sanitize-recover"});
    EXPECT_EQ(run.exit, 0) << n << ": " << run.out << run.err;
  }
}

// The start is a size minus a number, which may be negative: then it counts from the end.
TEST(OnnxSlicesTest, StartsMayBeSymbolic) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"});
  m.Ints("eight", {1}, {8});
  m.Ints("most", {1}, {kEnd});
  m.Node("Shape", {"x"}, {"size"});
  m.Node("Sub", {"size", "eight"}, {"start"});
  m.Node("Slice", {"x", "start", "most"}, {"y"});
  m.Output("y");
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}), "(8,): 2 3 4 5 6 7 8 9");
  EXPECT_EQ(program.Run({{{6}, {0, 1, 2, 3, 4, 5}}}), "(2,): 4 5");
  EXPECT_EQ(program.Run({{{3}, {0, 1, 2}}}), "(3,): 0 1 2");
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("last.onnx", m.Bytes()), IsOk());
  const LatheRun run =
      RunLatheOn({"validate", "last.onnx", "--data", "random:seed=1,n=6", "--cflags",
                  "-O0 -fsanitize=address,undefined -fno-sanitize-recover"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
}

}  // namespace
}  // namespace lathe::onnx
