// Models that share an arena compute what they compute in arenas of their own.
#include "generator/driver/cli/shared_arena.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

constexpr char kSumModel[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), s: R.Tensor((8,), "float32")):
        R.func_attr({"state": [0]})
        a = R.nn.softmax(x, axis=-1)
        b = R.matmul(a, x)
        c = R.sum(b, axis=[0])
        t = R.add(c, s)
        return (t, t)
)";

constexpr char kRowsModel[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), "float32"), w: R.Tensor((16, 16), "float32")):
        a = R.matmul(x, w)
        b = R.nn.softmax(a, axis=-1)
        y = R.matmul(b, w)
        return y
)";

// Runs both models in turn, in one arena of exactly the declared size and in one arena for each.
constexpr char kSharedMain[] = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"

static float x[64], w[256];

static void fill(void *memory, size_t size, int byte) {
  if (size > 0) memset(memory, byte, size);
}

static int run(void *first, void *second, int shared, float *out) {
  static uint8_t state[SUM_STATE_SIZE];
  sum a;
  rows b;
  int i;
  if (sum_init(&a, first, shared ? SCRATCH_ARENA_SIZE : SUM_ARENA_SIZE, state, sizeof state) != LATHE_OK) return 1;
  if (rows_init(&b, second, shared ? SCRATCH_ARENA_SIZE : ROWS_ARENA_SIZE) != LATHE_OK) return 1;
  for (i = 0; i < 3; ++i) {
    const sum_inputs sums = {x};
    const rows_inputs products = {x, w};
    const sum_outputs to_sums = {out};
    const rows_outputs to_products = {out + 8};
    x[0] = (float)i;
    if (sum_run(&a, &sums, &to_sums) != LATHE_OK) return 1;
    fill(first, shared ? SCRATCH_ARENA_SIZE : SUM_ARENA_SIZE, 0xff);
    if (rows_run(&b, &products, &to_products) != LATHE_OK) return 1;
    out += 8 + 64;
  }
  return 0;
}

int main(void) {
  static float apart[3 * 72], together[3 * 72];
  void *arenas[3] = {malloc(SUM_ARENA_SIZE), malloc(ROWS_ARENA_SIZE), malloc(SCRATCH_ARENA_SIZE)};
  int i;
  for (i = 0; i < 256; ++i) w[i] = (float)(i % 7) * 0.25f;
  for (i = 0; i < 64; ++i) x[i] = (float)(i % 5) - 2.0f;
  if (run(arenas[0], arenas[1], 0, apart) != 0 || run(arenas[2], arenas[2], 1, together) != 0) return 1;
  for (i = 0; i < 3; ++i) free(arenas[i]);
  printf("%s\n", memcmp(apart, together, sizeof apart) == 0 && apart[0] != apart[72] ? "equal" : "different");
  return 0;
}
)";

TEST(SharedArenaTest, RunsInTurnsComputeTheSame) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("sum.py", kSumModel), IsOk());
  ASSERT_THAT(WriteFile("rows.py", kRowsModel), IsOk());
  ASSERT_THAT(WriteFile("main.c", kSharedMain), IsOk());
  const LatheRun run = RunLatheWords("compile sum.py rows.py --share-arena scratch -o out --json");
  ASSERT_EQ(run.exit, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  const int64_t sum = json["models"][0]["totals"]["arena_bytes"],
                rows = json["models"][1]["totals"]["arena_bytes"];
  EXPECT_GT(sum, 0);
  EXPECT_GT(rows, 0);
  EXPECT_EQ(json["arena_bytes"], std::max(sum, rows));
  // The sum of both without the smaller arena.
  EXPECT_EQ(json["ram_bytes"].get<int64_t>(),
            json["models"][0]["totals"]["ram_bytes"].get<int64_t>() +
                json["models"][1]["totals"]["ram_bytes"].get<int64_t>() - std::min(sum, rows));
  ASSERT_EQ(std::system("cc -std=c99 -g -O1 -Wall -Wextra -Wpedantic -Werror -Iout "
                        "-fsanitize=address,undefined -fno-sanitize-recover=all main.c out/sum.c "
                        "out/rows.c -lm -o run"),
            0);
  ASSERT_EQ(std::system("./run > said"), 0);
  EXPECT_EQ(*ReadFile("said"), "equal\n");
}

TEST(SharedArenaTest, BudgetsCountTheArenaOnce) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("sum.py", kSumModel), IsOk());
  ASSERT_THAT(WriteFile("rows.py", kRowsModel), IsOk());
  const std::string words = "compile sum.py rows.py --share-arena scratch -o out --json";
  const auto json = nlohmann::json::parse(RunLatheWords(words).out);
  const int64_t ram = json["ram_bytes"], arena = json["arena_bytes"];
  EXPECT_EQ(RunLatheWords(absl::StrCat(words, " --max-ram ", ram, " --max-arena ", arena)).exit, 0);
  EXPECT_EQ(RunLatheWords(absl::StrCat(words, " --max-ram ", ram - 1)).exit, 4);
  EXPECT_EQ(RunLatheWords(absl::StrCat(words, " --max-arena ", arena - 1)).exit, 4);
}

// A product with a matrix that every model has, and a vector that only this one has.
std::string ModelWithWeights(const std::string& own) {
  std::string rows;
  for (int i = 0; i < 16; ++i) {
    absl::StrAppend(&rows, i == 0 ? "[" : ", [");
    for (int k = 0; k < 16; ++k) absl::StrAppend(&rows, k == 0 ? "" : ", ", (i * 7 + k * 3) % 11);
    absl::StrAppend(&rows, "]");
  }
  std::string vector = own;
  for (int k = 1; k < 16; ++k) absl::StrAppend(&vector, ", ", k);
  return absl::StrCat(R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), "float32")):
        a = R.matmul(x, R.const([)",
                      rows, R"(], "float32"))
        b = R.add(a, R.const([)",
                      vector, R"(], "float32"))
        c = R.matmul(R.nn.relu(b), R.const([)",
                      rows, R"(], "float32"))
        return c
)");
}

TEST(SharedArenaTest, EqualConstantsAreStoredOnce) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("a.py", ModelWithWeights("5")), IsOk());
  ASSERT_THAT(WriteFile("b.py", ModelWithWeights("6")), IsOk());
  for (const std::string target : {"generic-c99", "x86-64"}) {
    const std::string words =
        absl::StrCat("compile a.py b.py --share-arena both --golden --cc cc -t ", target, " -o ",
                     target, " --json");
    const LatheRun run = RunLatheWords(words);
    ASSERT_EQ(run.exit, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    // The matrix has 1024 bytes, in each model twice; the vector 64.
    EXPECT_EQ(json["shared_constant_bytes"], 1024) << target;
    const auto source = ReadFile(absl::StrCat(target, "/both.c"));
    ASSERT_THAT(source, IsOk());
    EXPECT_TRUE(absl::StrContains(*source, "both_shared_0"));
    EXPECT_FALSE(absl::StrContains(*source, "both_shared_1"));
    for (const std::string name : {"a", "b"}) {
      const std::string build = absl::StrCat(
          "cc -std=c99 -g -O1 -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined "
          "-fno-sanitize-recover=all -I",
          target, " -D", name == "a" ? "A" : "B", "_SELFTEST_MAIN ", target, "/a.c ", target,
          "/b.c ", target, "/both.c ", target, "/", name, "_selftest.c -lm -o run");
      ASSERT_EQ(std::system(build.c_str()), 0);
      EXPECT_EQ(std::system("./run > said"), 0) << target << " " << name;
    }
  }
  // The code of two models and the constants.
  EXPECT_EQ(
      RunLatheWords("compile a.py b.py --share-arena both --cc cc -o c --max-flash 1100").exit, 4);
}

TEST(SharedArenaTest, HeaderRejectsAModelThatGrew) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("sum.py", kSumModel), IsOk());
  ASSERT_THAT(WriteFile("rows.py", kRowsModel), IsOk());
  ASSERT_EQ(RunLatheWords("compile sum.py rows.py --share-arena scratch -o out").exit, 0);
  const auto header = ReadFile("out/rows.h");
  ASSERT_THAT(header, IsOk());
  std::string grown = *header;
  const size_t at = grown.find("ROWS_ARENA_SIZE ", grown.find("#define ROWS_ARENA_SIZE"));
  grown.insert(at + sizeof("ROWS_ARENA_SIZE ") - 1, "9");
  ASSERT_THAT(WriteFile("out/rows.h", grown), IsOk());
  ASSERT_THAT(WriteFile("use.c", "#include \"scratch.h\"\n"), IsOk());
  EXPECT_NE(std::system("cc -std=c99 -Iout -c use.c 2> said"), 0);
  EXPECT_TRUE(absl::StrContains(*ReadFile("said"), "rows.h needs a larger arena than scratch.h"));
}

}  // namespace
}  // namespace lathe::driver
