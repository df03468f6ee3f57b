// Every program of samples/ is well-formed, reads back as it prints in every dialect, and computes
// what tests/samples/<name>.out says.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/golden.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;

// What to run and compile each with; {} is its folder.
const std::map<std::string, std::string> kRuns = {
    {"bare_metal_m4", "--random seed=1"},
    {"cnn", "--random seed=1"},
    {"closures", "--random seed=1"},
    {"control_flow", "--random seed=1 -D n=4"},
    {"custom_extern", "--extern {}/sensor.c --random seed=1 -D n=4"},
    {"forest", "--random seed=1"},
    {"hello_add", "--random seed=1 -D n=2"},
    {"mlp", "--random seed=1 -D batch=2"},
    {"symbolic_batch", "--random seed=1 -D batch=3"},
    {"recursion", "--random seed=1 -D k=2"},
    {"values", "--random seed=1"},
};

TEST(SamplesTest, EveryFolderIsTested) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(SourcePath("samples"))) {
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  }
  std::set<std::string> tested = {"two_models",  // below
                                  "firmware",    // in tests/packages/check_firmware.py
                                  "keyword",     // the same
                                  // in tests/generated_c/check_decoded_weights.py
                                  "encrypted_weights"};
  for (const auto& [name, args] : kRuns) tested.insert(name);
  EXPECT_EQ(names, tested);
}

class SampleTest : public ::testing::TestWithParam<std::pair<const std::string, std::string>> {
 protected:
  std::string path() const {
    const std::string stem = absl::StrCat("samples/", GetParam().first, "/", GetParam().first);
    const std::string relay = SourcePath(absl::StrCat(stem, ".relay"));
    return fs::exists(relay) ? relay : SourcePath(absl::StrCat(stem, ".py"));
  }
  std::string words() const {
    const std::string folder = SourcePath(absl::StrCat("samples/", GetParam().first));
    return absl::StrReplaceAll(GetParam().second, {{"{}", folder}});
  }
};

TEST_P(SampleTest, IsWellFormed) {
  const LatheRun run = RunLatheOn({"check", path()});
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(run.err, "");
}

TEST_P(SampleTest, ReadsBackAsItPrints) {
  const ScratchDirectory scratch;
  for (const char* dialect : {"classic", "0.24", "0.26"}) {
    const LatheRun printed = RunLatheOn({"inspect", path(), "--dialect", dialect});
    EXPECT_EQ(printed.exit, 0) << printed.err;
    ASSERT_THAT(WriteFile("printed.py", printed.out), IsOk());
    EXPECT_EQ(RunLatheOn({"inspect", "printed.py", "--dialect", dialect}).out, printed.out);
  }
  if (!absl::EndsWith(path(), ".relay")) return;
  const LatheRun printed = RunLatheOn({"inspect", path(), "--format", "relay"});
  ASSERT_THAT(WriteFile("printed.relay", printed.out), IsOk());
  EXPECT_EQ(RunLatheOn({"inspect", "printed.relay", "--format", "relay"}).out, printed.out);
}

TEST_P(SampleTest, Computes) {
  const LatheRun run = RunLatheWords(absl::StrCat("run ", path(), " ", words()));
  EXPECT_EQ(run.exit, 0) << run.err;
  ExpectGolden(SourcePath(absl::StrCat("tests/samples/", GetParam().first, ".out")), run.out);
}

// The same as C.
TEST_P(SampleTest, CompilesToTheSame) {
  std::string args = absl::StrReplaceAll(words(), {{"--random seed=1", "--data random:seed=1"}});
  args = absl::StrReplaceAll(args, {{" -D ", ","}});
  const LatheRun run = RunLatheWords(absl::StrCat("validate ", path(), " ", args));
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
}

// tests/packages builds it as its README says.
TEST(TwoModelsTest, LinkIntoOneProgram) {
  const std::string folder = SourcePath("samples/two_models");
  const ScratchDirectory scratch;
  for (const char* name : {"smooth", "alarm"}) {
    const LatheRun run =
        RunLatheOn({"compile", absl::StrCat(folder, "/", name, ".py"), "-o", "out"});
    ASSERT_EQ(run.exit, 0) << run.err;
  }
  const std::string build = absl::StrCat("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iout ",
                                         folder, "/watch.c out/smooth.c out/alarm.c -lm -o watch");
  ASSERT_EQ(std::system(build.c_str()), 0);
  ASSERT_EQ(std::system("./watch > said"), 0);
  EXPECT_EQ(*ReadFile("said"), "a tone: quiet\na tone with a jump: alarm\n");
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleTest, ::testing::ValuesIn(kRuns),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace lathe
