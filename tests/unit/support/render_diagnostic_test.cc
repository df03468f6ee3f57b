#include "generator/support/render_diagnostic.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"

namespace lathe {
namespace {

std::string RenderAt(const std::string& text, uint32_t begin, uint32_t end) {
  const SourceFile file("m.py", text);
  Diagnostics diags;
  diags.Error(TextSpan{&file, begin, end}, "code") << "what";
  return Render(diags.all()[0]);
}

TEST(RenderDiagnosticTest, CaretIsBelowTheLocation) {
  EXPECT_EQ(RenderAt("\tx = 1", 1, 2), "m.py:1:2: error: what [code]\n  \tx = 1\n  \t^");
  // Two bytes, one column.
  EXPECT_EQ(RenderAt("\xc3\xa4 = b", 5, 6),
            "m.py:1:6: error: what [code]\n  \xc3\xa4 = b\n      ^");
  // The end of the file, and of a line.
  EXPECT_EQ(RenderAt("ab", 2, 2), "m.py:1:3: error: what [code]\n  ab\n    ^");
  EXPECT_EQ(RenderAt("", 0, 0), "m.py:1:1: error: what [code]\n  \n  ^");
  EXPECT_EQ(RenderAt("a(\nb)", 0, 5), "m.py:1:1: error: what [code]\n  a(\n  ^~");
}

TEST(RenderDiagnosticTest, NoControlByteReachesTheTerminal) {
  const std::string shown = RenderAt("a\x1b[31m\x7f\xff\xc2\x9b z", 0, 1);
  EXPECT_EQ(shown, "m.py:1:1: error: what [code]\n  a?[31m???? z\n  ^")
      << "a lone byte each for DEL, an invalid byte and a C1 control";
}

TEST(RenderDiagnosticTest, ALongLineIsAWindow) {
  const std::string text = std::string(1000, 'a') + "bcd" + std::string(100000, 'e');
  const std::string shown = RenderAt(text, 1000, 1003);
  EXPECT_THAT(shown, ::testing::HasSubstr("abcde"));
  EXPECT_LT(shown.size(), 400u);
  EXPECT_THAT(shown, ::testing::EndsWith("  " + std::string(80, ' ') + "^~~"));
}

TEST(RenderDiagnosticTest, Colours) {
  Diagnostics diags;
  diags.Warning({}, "code") << "what";
  EXPECT_EQ(RenderDiagnostic(diags.all()[0], kTerminalPalette, Excerpts::kShow),
            "\x1b[1;35mwarning:\x1b[0m what \x1b[2m[code]\x1b[0m");
}

}  // namespace
}  // namespace lathe
