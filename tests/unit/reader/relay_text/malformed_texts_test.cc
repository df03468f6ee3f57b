// Reads the texts of tests/relay/malformed.list: each is refused, with the exit code and message
// that stand before it.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/driver/report/exit_code.h"
#include "generator/reader/relay_text/read_relay_text.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::relay {
namespace {

// "2 [relay-syntax] expected a type, found ')'"
std::string Outcome(absl::string_view text) {
  const SourceFile file("test.relay", absl::StrCat("#[version = \"0.0.5\"]\n", text, "\n"));
  ir::Context context;
  Diagnostics diags;
  const auto module = ReadRelayText(context, file, diags);
  EXPECT_FALSE(module.ok()) << text;
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    return absl::StrCat(driver::ExitCodeOf(diags), " [", d.code, "] ", d.message);
  }
  return "0";
}

TEST(MalformedTextsTest, HaveAnExitCodeAndAMessage) {
  const std::string path = SourcePath("tests/relay/malformed.list");
  const std::string list = *ReadFile(path);
  std::string actual;
  std::set<absl::string_view> texts;
  for (absl::string_view line : absl::StrSplit(list, '\n', absl::SkipEmpty())) {
    if (absl::StartsWith(line, "#")) absl::StrAppend(&actual, line, "\n");
    if (!absl::StartsWith(line, "  ")) continue;
    absl::StrAppend(&actual, Outcome(line.substr(2)), "\n", line, "\n");
    texts.insert(line);
  }
  EXPECT_GE(texts.size(), 200);
  ExpectGolden(path, actual);
}

// They are read in a loop, but the stack of later steps bounds them.
TEST(MalformedTextsTest, LongChainsExceedALimit) {
  for (const char* link : {" + 1", "(1)", ".0"}) {
    std::string text = "def @main() { (1)";
    for (int i = 0; i < 100000; ++i) text += link;
    EXPECT_TRUE(absl::StartsWith(Outcome(text + " }"),
                                 "4 [relay-limit] an expression of more than 1000 levels"))
        << link;
  }
}

}  // namespace
}  // namespace lathe::relay
