#include "generator/driver/cli/completion_script.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string OutputOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string out;
  for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << out;
  return out;
}

// What bash offers for the last of `words`, one a line.
std::string Offered(const std::string& words) {
  const std::string path = ::testing::TempDir() + "/lathe_completion_test.bash";
  EXPECT_THAT(WriteFile(path, absl::StrCat(CompletionScript("bash"), "\nCOMP_WORDS=(", words,
                                           ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_lathe\n"
                                           "printf '%s\\n' \"${COMPREPLY[@]}\"\n")),
              IsOk());
  const std::string out = OutputOf(absl::StrCat("bash --norc ", path, " 2>&1"));
  std::remove(path.c_str());
  return out;
}

TEST(CompletionScriptTest, BashOffersVerbsOptionsAndValues) {
  EXPECT_EQ(Offered("lathe expl"), "explain\n");
  EXPECT_EQ(Offered("lathe explain --diag"), "--diagnostics\n");
  EXPECT_EQ(Offered("lathe explain --color = al"), "always\n");
  EXPECT_EQ(Offered("lathe explain --diagnostics = ''"), "human\nshort\njson\nsarif\n");
  EXPECT_EQ(Offered("lathe explain --color n"), "never\n");
  EXPECT_EQ(Offered("lathe completion ''"), "bash\nzsh\nfish\n");
  EXPECT_EQ(Offered("lathe completion --js"), "\n");  // it reports nothing
}

TEST(CompletionScriptTest, EveryShellKnowsEveryVerb) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(shell);
    EXPECT_THAT(script, HasSubstr("explain")) << shell;
    EXPECT_THAT(script, HasSubstr("human short json sarif")) << shell;
    EXPECT_THAT(script, Not(HasSubstr("{{"))) << shell;
  }
}

}  // namespace
}  // namespace lathe::driver
