// Tests external weights: loaded correctly, and invalid files.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

constexpr char kMain[] = R"(#include <stdio.h>
#include <string.h>
#include "net.h"
static uint64_t arena[NET_ARENA_SIZE / 8u + 2u];
static union { uint64_t align[8]; uint8_t bytes[NET_WEIGHTS_SIZE + 64u]; } memory;
int main(void) {
  const size_t past = (size_t)((uintptr_t)memory.bytes % NET_WEIGHTS_ALIGN);
  uint8_t *const blob = memory.bytes + (past == 0u ? 0u : NET_WEIGHTS_ALIGN - past);
  FILE *const file = fopen("out/net_weights.bin", "rb");
  net m;
  if (fread(blob, 1u, NET_WEIGHTS_SIZE, file) != NET_WEIGHTS_SIZE || fgetc(file) != EOF) return 1;
  if (net_init(&m, arena, sizeof arena, NULL, NET_WEIGHTS_SIZE) != LATHE_E_NULL) return 2;
  if (net_init(&m, arena, sizeof arena, blob, NET_WEIGHTS_SIZE - 1u) != LATHE_E_WEIGHTS) return 3;
  if (net_selftest(&m) != LATHE_E_NULL) return 7;
  if (net_init(&m, arena, sizeof arena, blob + 4, NET_WEIGHTS_SIZE) != LATHE_E_ALIGN) return 4;
  blob[17] ^= 1u;
  if (net_init(&m, arena, sizeof arena, blob, NET_WEIGHTS_SIZE) != LATHE_E_WEIGHTS) return 5;
  blob[17] ^= 1u;
  if (net_init(&m, arena, sizeof arena, blob, NET_WEIGHTS_SIZE) != LATHE_OK) return 6;
  return net_selftest(&m);
}
)";

TEST(WeightsTest, ChecksExternalWeightFiles) {
  const ScratchDirectory scratch;
  const LatheRun run = RunLatheOn({"compile", SourcePath("samples/cnn/cnn.py"), "-n", "net", "-o",
                                   "out", "--weights", "external", "--golden"});
  ASSERT_EQ(run.exit, 0) << run.err;
  ASSERT_THAT(WriteFile("main.c", kMain), IsOk());
  ASSERT_EQ(std::system("cc -std=c99 -Wall -Wextra -Werror -Iout main.c out/*.c -lm -o run"), 0);
  EXPECT_EQ(std::system("./run"), 0);
}

// A constant in a function that others call reaches it too.
TEST(WeightsTest, ReachCalledFunctions) {
  const ScratchDirectory scratch;
  for (const char* weights : {"external", "incbin"}) {
    const LatheRun run = RunLatheOn({"compile", SourcePath("samples/recursion/recursion.py"), "-n",
                                     "net", "-o", weights, "--weights", weights});
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string build =
        absl::StrCat("cd ", weights, " && cc -std=c99 -Wall -Wextra -Werror -I. -c net.c");
    EXPECT_EQ(std::system(build.c_str()), 0);
  }
}

// More than 16 MiB of them in a source is said to take long; elsewhere nothing is.
TEST(WeightsTest, RemarksLargeInitializers) {
  const ScratchDirectory scratch;
  std::string text =
      "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
      "    def main(x: R.Tensor((2100000,), \"int64\")):\n        return R.add(x, R.const([";
  for (int i = 0; i < 2100000; ++i) text += "0,";
  ASSERT_THAT(WriteFile("model.py", text + "], \"int64\"))\n"), IsOk());
  for (const char* weights : {"words", "incbin"}) {
    const LatheRun run = RunLatheOn({"compile", "model.py", "-n", "net", "-o", "out", "-t",
                                     "cuda:sm_80", "--weights", weights});
    ASSERT_EQ(run.exit, 0);
    EXPECT_EQ(
        run.err.find("the source has 16 MiB of weights as array initializers") != run.err.npos,
        weights == std::string("words"))
        << run.err;
  }
}

// What --golden says does fail when the code is wrong.
TEST(GoldenTest, NoticesWrongCode) {
  const ScratchDirectory scratch;
  const LatheRun run = RunLatheOn({"compile", SourcePath("samples/cnn/cnn.py"), "-n", "net", "-o",
                                   "out", "--golden", "--seed", "7"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string build =
      "cc -std=c99 -DNET_SELFTEST_MAIN -Iout out/*.c -lm -o run 2>/dev/null && ./run";
  EXPECT_EQ(std::system(build.c_str()), 0);
  ASSERT_EQ(std::system("sed -i 's/expf(/0.5f + expf(/' out/net.c"), 0);
  EXPECT_NE(std::system(build.c_str()), 0);
}

constexpr char kValues[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def nest(x: R.Tensor((4,), "float32"), n: R.Tensor((), "int64")) -> R.Object:
        if R.less(n, R.const(1, "int64")):
            r: R.Object = x
        else:
            inner = Module.nest(R.add(x, x), R.subtract(n, R.const(1, "int64")))
            r: R.Object = (x, inner)
        return r

    @R.function
    def main(x: R.Tensor(dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Object:
        nested = Module.nest(y, R.const(2, "int64"))
        return (R.exp(x), nested, R.str("two"), R.dtype("int4"), R.astype(x, "float16"))
)";

// Values of any structure are made, given, and compared part by part.
TEST(GoldenTest, ComparesValuesOfAnyStructure) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("model.py", kValues), IsOk());
  const LatheRun run = RunLatheOn({"compile", "model.py", "-n", "net", "-o", "out", "--golden"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string build =
      "cc -std=c99 -Wall -Wextra -Werror -DNET_SELFTEST_MAIN -Iout out/*.c out/lathe/*.c -lm "
      "-o run && ./run";
  EXPECT_EQ(std::system(build.c_str()), 0);
  for (const char* change :
       {"s/expf(/0.5f + expf(/", "s/= x1\\[i0\\] + x/= 2.0f * x1[i0] + x/", "s/\"two/\"tom/",
        "s/lathe_from_dtype(LATHE_DT_INT/lathe_from_dtype(LATHE_DT_UINT/"}) {
    const std::string edit = absl::StrCat("cp out/net.c kept && sed -i '", change,
                                          "' out/net.c && ! cmp -s kept out/net.c");
    ASSERT_EQ(std::system(edit.c_str()), 0) << change;
    EXPECT_NE(std::system(build.c_str()), 0) << change;
    ASSERT_EQ(std::system("mv kept out/net.c"), 0);
  }
}

}  // namespace
}  // namespace lathe::driver
