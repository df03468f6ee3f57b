#include "generator/reader/relay_text/print/print_relay.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/reader/relay_text/read_relay_text.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/txtar.h"

namespace lathe::relay {
namespace {

namespace fs = std::filesystem;

// Returns nothing for a text with errors.
std::string Reprint(const std::string& text) {
  const SourceFile file("test.relay", text);
  ir::Context context;
  Diagnostics diags;
  return ReprintRelayText(context, file, diags).value_or("");
}

std::string RelaxOf(const std::string& text) {
  const SourceFile file("test.relay", text);
  ir::Context context;
  Diagnostics diags;
  const auto module = ReadRelayText(context, file, diags);
  if (module.ok()) return ir::PrintTvmScript(*module, {});
  return absl::StrCat("error: ", diags.all().front().message);
}

// Returns false if the text has errors.
bool ExpectSameModule(const std::string& text) {
  const std::string printed = Reprint(text);
  if (printed.empty()) return false;
  EXPECT_EQ(Reprint(printed), printed) << text;
  EXPECT_EQ(RelaxOf(printed), RelaxOf(text)) << printed;
  return true;
}

TEST(PrintRelayTest, TextsOfTestsAreTheSameModules) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(SourcePath("tests/relay"))) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  int printed = 0;
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    for (const Txtar::Section& section : ParseTxtar(*ReadFile(path)).sections) {
      if (absl::EndsWith(section.name, ".relay")) printed += ExpectSameModule(section.text);
    }
  }
  EXPECT_GT(printed, 400);
}

TEST(PrintRelayTest, NestingWithinTheLimitStaysWithinIt) {
  // Each repeats `open` and `close` around a value.
  const struct {
    const char *open, *close;
    int times;
  } kNested[] = {
      {"if (True) { 1 } else ", "", 180},
      {"{ if (True) { ", " } else { 1 } }", 30},
      {"add(1, ", ")", 60},
      {"multiply(add(1, ", "), 2)", 30},
      {"(", ",).0", 60},
      {"(fn (%x: int32) { %x + ", "})(2)", 20},
      {"1 + (", ")", 45},
      {"({ let %x = 2; %x + ", "})", 20},
  };
  for (const auto& nested : kNested) {
    std::string text;
    for (int i = 0; i < nested.times; ++i) absl::StrAppend(&text, nested.open);
    absl::StrAppend(&text, absl::StartsWith(nested.open, "if") ? "{ 1 }" : "1");
    for (int i = 0; i < nested.times; ++i) absl::StrAppend(&text, nested.close);
    EXPECT_TRUE(ExpectSameModule(absl::StrCat("def @main() { ", text, " }"))) << text;
  }
}

TEST(PrintRelayTest, LongChainsAreFlat) {
  for (const char* link : {" + 1", " && True", ".0"}) {
    std::string text = absl::StrContains(link, "&&") ? "True" : "1";
    const int times = absl::StrContains(link, ".") ? 150 : 900;
    if (times == 150) text = "%t";
    for (int i = 0; i < times; ++i) absl::StrAppend(&text, link);
    if (times == 150) {
      std::string type = "int32";
      for (int i = 0; i < times; ++i) type = absl::StrCat("(", type, ",)");
      text = absl::StrCat("def @main(%t: ", type, ") { ", text, " }");
    } else {
      text = absl::StrCat("def @main() { ", text, " }");
    }
    EXPECT_TRUE(ExpectSameModule(text)) << text;
  }
}

TEST(PrintRelayTest, KeepsBitsOfConstants) {
  EXPECT_TRUE(ExpectSameModule(
      "def @main() { (0.1f, -0f, 1e-45f, 3.4028235e+38f, inff, -inff, nanf, 0.1f16, 6e-08f16, "
      "0.1f64, 5e-324f64, nanf64, -2147483648, 9223372036854775807i64, -9223372036854775808i64, "
      "-128i8, 7i16, True, False) }"));
}

TEST(PrintRelayTest, AFunctionDoesNotSeeTheVariableThatItIsBoundTo) {
  EXPECT_TRUE(
      ExpectSameModule("def @main() {\n"
                       "  let %f = fn (%x: int32) { %x + 1 };\n"
                       "  let %f = (fn (%x: int32) { %f(%x) * 2 });\n"
                       "  %f(3)\n"
                       "}\n"));
}

TEST(PrintRelayTest, PrintsOnePieceOfText) {
  EXPECT_EQ(Reprint("data Pair[A] { P : (A, fn (A) -> (A)) -> Pair[A] }\n"
                    "def @main(%x: Tensor[(?, 2), float32], Primitive=1) {\n"
                    "  %7 = nn.softmax(%x, axis=1); // a comment\n"
                    "  if (True) { (%7, 1f) } else { let %y: _ = (%7 + %7) * %7 ; (%y, -2.5f) }\n"
                    "}\n"),
            "#[version = \"0.0.5\"]\n"
            "type Pair[A] {\n"
            "  P(A, fn (A) -> (A,)),\n"
            "}\n"
            "def @main(%x: Tensor[(?, 2), float32], Primitive=1) {\n"
            "  %0 = nn.softmax(%x, axis=1);\n"
            "  if (True) {\n"
            "    (%0, 1f)\n"
            "  } else {\n"
            "    let %y: _ = (%0 + %0) * %0;\n"
            "    (%y, -2.5f)\n"
            "  }\n"
            "}\n");
}

}  // namespace
}  // namespace lathe::relay
