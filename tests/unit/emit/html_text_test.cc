// Tests program texts in HTML pages.
#include "generator/emit/text/html_text.h"

#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

TEST(VisibleTextTest, ShowsWhatAReaderCannotSee) {
  EXPECT_EQ(VisibleText("conv1/bias:0"), "conv1/bias:0");
  EXPECT_EQ(VisibleText("\xC3\xA4\xE5\xB1\xA4"), "\xC3\xA4\xE5\xB1\xA4");
  EXPECT_EQ(VisibleText("a\nb\tc\r"), "a b c ");
  EXPECT_EQ(VisibleText(std::string("a\0b", 3)), "a<U+0000>b");
  EXPECT_EQ(VisibleText("\xE2\x80\xAEx"), "<U+202E>x");
  EXPECT_EQ(VisibleText("\xE2\x80\x8Bx\xEF\xBB\xBF"), "<U+200B>x<U+FEFF>");
  EXPECT_EQ(VisibleText("\xE2\x80\xA8"), "<U+2028>");
  EXPECT_EQ(VisibleText("\xFFx\xC3"), "<FF>x<C3>");
}

TEST(VisibleTextTest, IsAsLongAsTheLimit) {
  EXPECT_EQ(VisibleText(std::string(kMaxHtmlBytes, 'x')), std::string(kMaxHtmlBytes, 'x'));
  EXPECT_EQ(VisibleText(std::string(kMaxHtmlBytes + 1, 'x')),
            std::string(kMaxHtmlBytes, 'x') + "...");
}

TEST(VisibleSourceTest, KeepsLines) {
  EXPECT_EQ(VisibleSource("a\n\tb\r\xFF"), "a\n\tb <FF>");
  EXPECT_EQ(VisibleSource(std::string(2 * kMaxHtmlBytes, 'x')),
            std::string(2 * kMaxHtmlBytes, 'x'));
}

TEST(EscapeHtmlTest, HasNoMarkup) {
  EXPECT_EQ(EscapeHtml("<script>alert('1')</script>").str(),
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
  EXPECT_EQ(EscapeHtml("\" onload=x & y").str(), "&quot; onload=x &amp; y");
  EXPECT_EQ(EscapeHtml("&lt;").str(), "&amp;lt;");
}

TEST(JsonForScriptTest, CannotEndTheElement) {
  EXPECT_EQ(JsonForScript(R"({"a": "</script><!--&"})").str(),
            R"({"a": "\u003c/script\u003e\u003c!--\u0026"})");
}

}  // namespace
}  // namespace lathe::emit
