// Tensors share bytes in pools as they do in an arena: a pool of the size of the arena is enough.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::plan {
namespace {

using ::testing::HasSubstr;

nlohmann::json TotalsOf(const LatheRun& run) {
  EXPECT_EQ(run.exit, 0) << run.err;
  return nlohmann::json::parse(run.out)["totals"];
}

TEST(ShareInPoolsTest, APoolOfTheSizeOfTheArenaIsEnough) {
  for (const char* model : {"bare_metal_m4/bare_metal_m4.py", "cnn/cnn.py", "two_models/alarm.py",
                            "firmware/extract.py", "closures/closures.py"}) {
    SCOPED_TRACE(model);
    const std::string path = SourcePath(absl::StrCat("samples/", model));
    const int64_t arena = TotalsOf(RunLatheOn({"analyze", path, "--json"}))["arena_bytes"];
    ASSERT_GT(arena, 0);
    const auto with = [&](int64_t bytes) {
      return RunLatheOn({"analyze", path, "--json", "--pool", absl::StrCat("ram:", bytes)});
    };
    const nlohmann::json totals = TotalsOf(with(arena));
    EXPECT_EQ(totals["arena_bytes"], arena);
    EXPECT_EQ(totals["pools"][0]["size"], arena);
    const LatheRun less = with(arena - 1);
    EXPECT_EQ(less.exit, 4);
    EXPECT_THAT(less.err, HasSubstr(absl::StrCat("would have to hold ", arena, " ")));
  }
}

// The fast pool takes what fits, and the slow one needs no more than the arena.
TEST(ShareInPoolsTest, TwoPoolsHoldWhatOneDoesNot) {
  const std::string path = SourcePath("samples/cnn/cnn.py");
  const nlohmann::json totals = TotalsOf(
      RunLatheOn({"analyze", path, "--json", "--pool", "fast:2303", "--pool", "slow:2304"}));
  EXPECT_GT(totals["pools"][0]["size"], 0);
  EXPECT_LE(totals["pools"][0]["size"], 2303);
  EXPECT_LE(totals["pools"][1]["size"], 2304);
}

TEST(ShareInPoolsTest, SharedBytesOfPoolsHaveTheRightResults) {
  if (std::system("cc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "cc is not installed";
  const ScratchDirectory scratch;
  for (const char* pools : {"--pool ram:2304", "--pool fast:2303 --pool slow:2304"}) {
    const LatheRun run = RunLatheWords(
        absl::StrCat("validate ", SourcePath("samples/cnn/cnn.py"), " -t generic-c99 ", pools,
                     " --cflags '-O1 -fsanitize=address,undefined'"));
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASS"));
  }
}

}  // namespace
}  // namespace lathe::plan
