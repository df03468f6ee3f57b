#include "generator/driver/cli/help_text.h"

#include "absl/strings/str_split.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/verbs.h"
#include "gmock/gmock.h"
#include "tests/support/run_lathe.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

TEST(HelpTextTest, FitsOneScreen) {
  const std::vector<std::string> lines = absl::StrSplit(HelpText(), '\n');
  EXPECT_LE(lines.size(), 40u);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 100u) << line;
}

TEST(HelpTextTest, AllNamesEveryVerbAndOption) {
  const std::string all = RunLatheWords("--help-all").out;
  for (const Verb* verb : AllVerbs()) {
    EXPECT_THAT(all, HasSubstr(UsageLine(*verb)));
    for (const Option& o : verb->options) EXPECT_THAT(all, HasSubstr(std::string(o.name)));
    EXPECT_THAT(verb->details.empty() ? std::string(verb->name) : std::string(verb->details),
                HasSubstr(std::string(verb->name)));
  }
  for (const Option& o : OptionsOfEveryVerb()) EXPECT_THAT(all, HasSubstr(std::string(o.name)));
}

TEST(HelpTextTest, MissingVerbPrintsTheShortHelp) {
  const LatheRun run = RunLatheWords("");
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, HelpText());
}

}  // namespace
}  // namespace lathe::driver
