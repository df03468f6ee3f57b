#include "generator/driver/report/version.h"

#include "gmock/gmock.h"
#include "tests/support/run_lathe.h"

namespace lathe::driver {
namespace {

TEST(VersionTest, ForPeopleAndForPrograms) {
  // A release names its commit; a build in daily use does not.
  EXPECT_THAT(RunLatheWords("--version").out,
              ::testing::MatchesRegex("lathe [0-9]+\\.[0-9]+\\.[0-9]+( \\([0-9a-f]+\\))?\n"));
  const LatheRun json = RunLatheWords("--version --json");
  EXPECT_THAT(json.out, ::testing::HasSubstr("\"version\": \"" + std::string(Version()) + "\""));
  EXPECT_EQ(json.exit, 0);
  EXPECT_EQ(json.err, "");
}

}  // namespace
}  // namespace lathe::driver
