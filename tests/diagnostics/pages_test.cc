// Tests every page of docs/diagnostics/: the good example gives no diagnostic; the bad one gives
// only the page's code, with the exact text of tests/diagnostics/<code>.out (UPDATE_GOLDENS=1
// writes it).
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/driver/report/diagnostic_page.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/support/golden.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

struct Example {
  bool run = false;      // the fence says "python run": the code comes when it is evaluated
  bool compile = false;  // "python compile": the code comes when C is made of it
  bool stream = false;   // "python stream": the code comes when x gets one new frame along axis 1
  bool relay = false;    // "relay": Relay text
  bool told = false;  // "text": told in words, too large to show; a test of its own names the code
  std::string text;
};

// The fenced example below the heading `title`.
Example ExampleUnder(absl::string_view page, absl::string_view title) {
  Example example;
  bool here = false;
  bool inside = false;
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    if (!inside && absl::StartsWith(line, "## ")) here = line == absl::StrCat("## ", title);
    if (!here) continue;
    if (absl::StartsWith(line, "```")) {
      if (inside) break;
      inside = true;
      EXPECT_THAT(line, AnyOf("```python", "```python run", "```python compile", "```python stream",
                              "```relay", "```text"));
      example.run = line == "```python run";
      example.compile = line == "```python compile";
      example.stream = line == "```python stream";
      example.relay = line == "```relay";
      example.told = line == "```text";
    } else if (inside) {
      absl::StrAppend(&example.text, line, "\n");
    }
  }
  EXPECT_FALSE(example.text.empty()) << "no example under '" << title << "'";
  return example;
}

LatheRun RunExample(const Example& example, const std::string& form) {
  const ScratchDirectory scratch;
  const std::string file = example.relay ? "example.relay" : "example.py";
  EXPECT_THAT(WriteFile(file, example.text), IsOk());
  const std::string verb = example.run       ? "run --random seed=1 "
                           : example.compile ? "compile -o out "
                           : example.stream  ? "compile -o out --stream x:1=1 "
                                             : "check ";
  return RunLatheWords(absl::StrCat(verb, "--diagnostics=", form, " ", file));
}

std::vector<std::string> CodesOf(const Example& example) {
  const LatheRun run = RunExample(example, "json");
  const json report = json::parse(run.err, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  std::vector<std::string> codes;
  if (report.is_discarded()) return codes;
  for (const json& d : report["diagnostics"])
    codes.push_back(d[d["code"].is_null() ? "kind" : "code"]);
  EXPECT_EQ(run.exit, report["exit_code"]);
  return codes;
}

class PageTest : public ::testing::TestWithParam<absl::string_view> {};

TEST_P(PageTest, ExamplesMatchThePage) {
  const auto page = driver::FindDiagnosticPage(GetParam());
  ASSERT_TRUE(page.has_value());
  EXPECT_TRUE(absl::StartsWith(page->text, absl::StrCat("# ", GetParam(), "\n")));
  EXPECT_FALSE(page->rule.empty());
  EXPECT_THAT(CodesOf(ExampleUnder(page->text, "Good")), IsEmpty());
  const Example bad = ExampleUnder(page->text, "Bad");
  if (bad.told) return;
  EXPECT_THAT(CodesOf(bad), AllOf(Not(IsEmpty()), Each(std::string(GetParam()))));
  ExpectGolden(SourcePath(absl::StrCat("tests/diagnostics/", GetParam(), ".out")),
               RunExample(bad, "human").err);
}

INSTANTIATE_TEST_SUITE_P(Pages, PageTest, ::testing::ValuesIn(driver::DiagnosticCodes()),
                         [](const ::testing::TestParamInfo<absl::string_view>& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });
// Before the first page there is nothing to instantiate.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PageTest);

}  // namespace
}  // namespace lathe
