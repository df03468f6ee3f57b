#include "generator/driver/cli/man_page.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/driver/cli/help_text.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/verbs.h"
#include "gmock/gmock.h"
#include "tests/support/run_lathe.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

std::string InRoff(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}});
}

// Every request of a page is one that the templates contain: no text of the tables became one.
void ExpectKnownRequests(const std::string& page) {
  const std::set<std::string> known = {".\\\"", ".TH", ".SH", ".B",  ".BR", ".I",  ".RI",
                                       ".IR",   ".ad", ".br", ".PP", ".TP", ".nf", ".fi"};
  for (const absl::string_view line : absl::StrSplit(page, '\n')) {
    EXPECT_FALSE(absl::StartsWith(line, "'")) << line;
    if (!absl::StartsWith(line, ".")) continue;
    EXPECT_TRUE(known.count(std::string(line.substr(0, line.find(' ')))) > 0) << line;
  }
}

TEST(ManPageTest, PageOfAVerbHasEveryOptionAndExample) {
  for (const Verb* verb : AllVerbs()) {
    const std::string page = ManPageOf(*verb);
    ExpectKnownRequests(page);
    EXPECT_THAT(page, HasSubstr(InRoff(UsageLine(*verb))));
    for (const Option& o : verb->options) {
      EXPECT_THAT(page, HasSubstr(InRoff(o.name)));
      EXPECT_THAT(page, HasSubstr(InRoff(o.help)));
    }
    for (absl::string_view line : absl::StrSplit(verb->details, '\n')) {
      const size_t text = line.find_first_not_of(' ');
      if (text == line.npos || line == "Examples:") continue;
      EXPECT_THAT(page, HasSubstr(InRoff(line.substr(text)))) << verb->name;
    }
  }
}

TEST(ManPageTest, PageOfTheProgramHasEveryVerbAndExitCode) {
  const std::string page = ManPage();
  ExpectKnownRequests(page);
  for (const Verb* verb : AllVerbs()) {
    EXPECT_THAT(page, HasSubstr(absl::StrCat("lathe\\-", verb->name, " (1)")));
  }
  EXPECT_THAT(page, HasSubstr(".B 70\nan internal error"));
}

TEST(ManPageTest, HelpPrintsIt) {
  EXPECT_EQ(RunLatheWords("help --man").out, ManPage());
  EXPECT_EQ(RunLatheWords("help --man run").out, ManPageOf(*FindVerb("run")));
  EXPECT_EQ(RunLatheWords("help --man fly").exit, 1);
}

}  // namespace
}  // namespace lathe::driver
