// Tests NAME_arena_size: the exact size that a run needs, SIZE_MAX for invalid sizes, no overflow;
// and that a run with absurd sizes returns a status.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

constexpr char kHead[] = R"(from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
)";

// Its result is in no memory of the caller's that sizes could be checked against.
constexpr char kRows[] =
    R"(    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor((), "float32"):
        n = T.int64()
        m = T.int64()
        y = R.sort(R.concat((x, x), axis=0))
        z = R.sort(R.reshape(y, R.shape([n * m * 2])))
        return R.sum(z)
)";

class ArenaSizeTest : public ::testing::Test {
 protected:
  // Compiles the module for C as `net` and `main_c` with it; what the program returned.
  int Run(absl::string_view function, std::vector<std::string> options, absl::string_view main_c) {
    EXPECT_TRUE(WriteFile("model.py", absl::StrCat(kHead, function)).ok());
    EXPECT_TRUE(WriteFile("main.c", main_c).ok());
    std::vector<std::string> args = {"compile", "model.py",    "-q", "-n", "net",
                                     "-t",      "generic-c99", "-o", "net"};
    args.insert(args.end(), options.begin(), options.end());
    const LatheRun compiled = RunLatheOn(args);
    EXPECT_EQ(compiled.exit, 0) << compiled.err;
    const std::string build = absl::StrCat(
        "cc -std=c99 -Wall -Wextra -Wconversion -Werror -O1 -fsanitize=undefined,address"
        " -fno-sanitize-recover -Inet main.c net/net.c -o run -lm && ./run");
    return std::system(build.c_str());
  }

  ScratchDirectory scratch_;
};

TEST_F(ArenaSizeTest, IsExactAndSaturates) {
  EXPECT_EQ(Run(kRows, {}, R"(#include <stdlib.h>
#include "net.h"
static int run(int64_t n, int64_t m, size_t bytes, float *x) {
  static float gv;
  void *arena = malloc(bytes); /* aligned for anything */
  net net_;
  const net_inputs in = {x, n, m};
  const net_outputs out = {&gv};
  int status;
  status = net_init(&net_, arena, bytes);
  if (status == LATHE_OK) status = net_run(&net_, &in, &out);
  free(arena);
  return status;
}
int main(void) {
  static float x[15];
  const size_t need = net_arena_size(3, 5);
  const int64_t huge[] = {INT64_MAX, INT64_MAX / 2 + 1, INT64_C(1) << 40, INT64_C(1) << 32};
  int i, k;
  if (run(3, 5, need, x) != LATHE_OK) return 2;
  if (run(3, 5, need - 1u, x) != LATHE_E_ARENA_SIZE) return 3;
  if (net_arena_size(0, 5) > need || net_arena_size(6, 5) <= need) return 4;
  if (net_arena_size(-1, 5) != SIZE_MAX || net_arena_size(3, INT64_MIN) != SIZE_MAX) return 5;
  for (i = 0; i < 4; ++i) {
    if (i < 2 && net_arena_size(huge[i], 1) != SIZE_MAX) return 6;
    if (run(huge[i], 1, need, x) != (i < 2 ? LATHE_E_SHAPE : LATHE_E_ARENA_SIZE)) return 7;
    for (k = 0; k < 4; ++k) {
      if (net_arena_size(huge[i], huge[k]) != SIZE_MAX) return 8;
      if (run(huge[i], huge[k], need, x) == LATHE_OK) return 9;
    }
  }
  return 0;
}
)"),
            0);
}

TEST_F(ArenaSizeTest, IsTheSizeOfTheLastPool) {
  EXPECT_EQ(Run(kRows, {"--pool", "fast:1K", "--pool", "slow:1M"}, R"(#include <stdlib.h>
#include "net.h"
static uint8_t fast[NET_POOL_FAST_SIZE + 64];
static int run(int64_t n, int64_t m, size_t bytes, float *x) {
  static float gv;
  net_pools pools = {NULL, NET_POOL_FAST_SIZE, NULL, bytes};
  net net_;
  const net_inputs in = {x, n, m};
  const net_outputs out = {&gv};
  int status;
  pools.fast = fast + (64u - (uintptr_t)fast % 64u) % 64u;
  pools.slow = malloc(bytes); /* aligned for anything */
  status = net_init(&net_, &pools);
  if (status == LATHE_OK) status = net_run(&net_, &in, &out);
  free(pools.slow);
  return status;
}
int main(void) {
  static float x[35];
  const int64_t sizes[][2] = {{3, 5}, {7, 5}, {1, 1}, {4, 4}};
  int i;
  for (i = 0; i < 4; ++i) {
    const size_t need = net_slow_size(sizes[i][0], sizes[i][1]);
    if (run(sizes[i][0], sizes[i][1], need, x) != LATHE_OK) return 2;
    if (run(sizes[i][0], sizes[i][1], need - 1u, x) != LATHE_E_ARENA_SIZE) return 3;
  }
  if (net_slow_size(INT64_MAX, 2) != SIZE_MAX || net_slow_size(2, INT64_MAX) != SIZE_MAX) return 4;
  return 0;
}
)"),
            0);
}

// A size of a number that may be anything is looked at before it is computed with.
TEST_F(ArenaSizeTest, InvalidSizesEndTheRun) {
  EXPECT_EQ(
      Run(R"(    def main(p: R.Prim(value="k"), q: R.Prim(value="j"), x: R.Tensor((3,), "float32")):
        k = T.int64()
        j = T.int64()
        return (R.broadcast_to(x, R.shape([k * k, 3])), R.broadcast_to(x, R.shape([k * j, 3])))
)",
          {}, R"(#include "net.h"
int main(void) {
  static float x[3], a[12], b[18];
  const int64_t good[][2] = {{2, 3}, {-2, -3}, {0, INT64_MAX}, {0, INT64_MIN}};
  const int64_t bad[][2] = {{INT64_MIN, 0}, {INT64_MAX, 0}, {INT64_C(3037000500), 0},
                            {INT64_C(4294967296), 0}, {2, INT64_MAX}, {2, INT64_MIN}, {-2, 3},
                            {-2, INT64_MIN}, {2, INT64_C(1) << 62}};
  net m;
  size_t i;
  if (net_init(&m, NULL, 0) != LATHE_OK) return 1;
  for (i = 0; i < sizeof good / sizeof good[0]; ++i) {
    const net_inputs in = {good[i][0], good[i][1], x};
    const net_outputs out = {a, b};
    const int status = net_run(&m, &in, &out);
    if (status != LATHE_OK && (i < 2 || status != LATHE_E_SHAPE)) return 2;
  }
  for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    const net_inputs in = {bad[i][0], bad[i][1], x};
    const net_outputs out = {a, b};
    if (net_run(&m, &in, &out) != LATHE_E_SHAPE) return 3;
  }
  return 0;
}
)"),
      0);
}

}  // namespace
}  // namespace lathe
