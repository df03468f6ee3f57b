#include "generator/reader/relax_text/syntax/lexer.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "gtest/gtest.h"

namespace lathe::relax_text {
namespace {

// The tokens of `text` with a space between them, and its errors after a bar.
std::string Lex(const std::string& text) {
  const SourceFile file("t.py", text);
  Diagnostics diags;
  SyntaxErrors errors(&diags);
  const LexInput input{file.text(), {&file, 0, static_cast<uint32_t>(text.size())}};
  Lexer lexer(input, errors);
  std::string out;
  while (true) {
    const Token token = lexer.Next();
    const absl::string_view written = file.text().substr(token.begin, token.end - token.begin);
    const absl::string_view shown = token.kind == TokenKind::kNewline    ? "NL"
                                    : token.kind == TokenKind::kIndent   ? ">>"
                                    : token.kind == TokenKind::kDedent   ? "<<"
                                    : token.kind == TokenKind::kEnd      ? "END"
                                    : token.kind == TokenKind::kError    ? "ERROR"
                                    : token.kind == TokenKind::kUnclosed ? "UNCLOSED"
                                                                         : written;
    absl::StrAppend(&out, out.empty() ? "" : " ", shown);
    if (token.kind == TokenKind::kEnd) break;
  }
  for (const Diagnostic& d : diags.all()) absl::StrAppend(&out, " | ", d.message);
  return out;
}

TEST(LexerTest, LinesAndIndents) {
  EXPECT_EQ(Lex(""), "END");
  EXPECT_EQ(Lex("\n\n  # only a comment\n"), "END");
  EXPECT_EQ(Lex("x"), "x NL END");
  EXPECT_EQ(Lex("if x:\n  y\n\n    # deeper comment\n  z\nw\n"),
            "if x : NL >> y NL z NL << w NL END");
  EXPECT_EQ(Lex("a:\n b:\n  c"), "a : NL >> b : NL >> c NL << << END");
  EXPECT_EQ(Lex("x\r\n y\rz"), "x NL >> y NL << z NL END");
  EXPECT_EQ(Lex("\xEF\xBB\xBFx"), "x NL END");
}

TEST(LexerTest, ALineEndsOnlyOutsideBrackets) {
  EXPECT_EQ(Lex("f(a,\n  # comment\nb)\nc"), "f ( a , b ) NL c NL END");
  EXPECT_EQ(Lex("a + \\\n   b"), "a + b NL END");
  EXPECT_EQ(Lex("  \\\nx"), ">> x NL << END");
  EXPECT_EQ(Lex("x \\ y"),
            "x ERROR y NL END | unexpected character after the line continuation '\\'");
  EXPECT_EQ(Lex("\\\n"), "END | the file ends after a line continuation");
  EXPECT_EQ(Lex("x \\\n"), "x NL END | the file ends after a line continuation");
  EXPECT_EQ(Lex("x \\"), "x ERROR NL END | the file ends after a line continuation");
}

TEST(LexerTest, TabsAndOddColumns) {
  EXPECT_EQ(Lex("a:\n\tb\n\tc"), "a : NL >> b NL c NL << END");
  EXPECT_EQ(Lex("a:\n\tb\n        c"),
            "a : NL >> b NL c NL << END | inconsistent use of tabs and spaces in indentation");
  EXPECT_EQ(
      Lex("a:\n    b\n  c\n  d"),
      "a : NL >> b NL c NL d NL << END | unindent does not match any outer indentation level");
}

TEST(LexerTest, OperatorsAreTheLongestThatFit) {
  EXPECT_EQ(Lex("a**=b//=c>>=d->e:=f...g..h!=i"),
            "a **= b //= c >>= d -> e := f ... g . . h != i NL END");
  EXPECT_EQ(Lex("a<>b"), "a < > b NL END");
  EXPECT_EQ(Lex("a!b"), "a ERROR b NL END | invalid character '!'");
  EXPECT_EQ(Lex("a?b"), "a ERROR b NL END | invalid character '?'");
}

TEST(LexerTest, Numbers) {
  for (const char* good : {"0", "00", "42", "1_000", "0xFf", "0x_1", "0o17", "0B101", "1.", ".5",
                           "1.5e-05", "1_0.0_1E+1_0", "3j", "0777j", "09.5"}) {
    EXPECT_EQ(Lex(good), absl::StrCat(good, " NL END"));
  }
  EXPECT_EQ(Lex("1if x"), "1 if x NL END");
  EXPECT_EQ(Lex("1_"), "ERROR NL END | invalid decimal number: '1_'");
  EXPECT_EQ(Lex("1__0"), "ERROR NL END | invalid decimal number: '1__0'");
  EXPECT_EQ(Lex("1.0f"), "ERROR NL END | a letter may not follow a number: '1.0f'");
  EXPECT_EQ(Lex("1e+"), "ERROR + NL END | a letter may not follow a number: '1e'");
  EXPECT_EQ(Lex("0x"), "ERROR NL END | invalid hexadecimal number: '0x'");
  // A long number is not repeated in the message.
  EXPECT_EQ(Lex(std::string(50, '1') + "f"), "ERROR NL END | a letter may not follow a number");
  EXPECT_EQ(Lex("0b12"), "ERROR NL END | the digit '2' in a binary number");
  EXPECT_EQ(Lex("0o8"), "ERROR NL END | the digit '8' in an octal number");
  EXPECT_EQ(Lex("0777"),
            "ERROR NL END | leading zeros in a decimal number; an octal one is written 0o17");
}

TEST(LexerTest, Strings) {
  for (const char* good : {"''", "'a\\'b'", "\"it's\"", "'''a\nb'''", "r'\\d'", "rb'x'", "Fr'x'",
                           "u'x'", "'a\\\nb'", "''''a'''"}) {
    EXPECT_EQ(Lex(good), absl::StrCat(good, " NL END"));
  }
  EXPECT_EQ(Lex("ur'x'"), "ur 'x' NL END");
  EXPECT_EQ(Lex("'abc\nx"), "ERROR NL x NL END | unterminated string");
  EXPECT_EQ(Lex("'''abc\nx"), "ERROR NL END | unterminated triple-quoted string");
  EXPECT_EQ(Lex("'abc\\"), "ERROR NL END | unterminated string");
}

TEST(LexerTest, NamesBeyondAscii) {
  EXPECT_EQ(Lex("\u65e5\u672c = \u00e9"), "\u65e5\u672c = \u00e9 NL END");
  EXPECT_EQ(Lex("\u201ca\u201d"),
            "ERROR a ERROR NL END | invalid character '\u201c' (U+201C) | invalid character "
            "'\u201d' (U+201D)");
  EXPECT_EQ(Lex("a\u00a0b"), "a ERROR b NL END | invalid invisible character U+00A0");
}

TEST(LexerTest, Brackets) {
  EXPECT_EQ(Lex("a)"), "a ERROR NL END | unmatched ')'");
  EXPECT_EQ(Lex("(a]\nb"), "( a ERROR NL b NL END | ']' does not match the opening '('");
  // Closes the bracket further out that it matches.
  EXPECT_EQ(Lex("(a[b)\nc"), "( a [ b ERROR NL c NL END | ')' does not match the opening '['");
  EXPECT_EQ(Lex("(a,"), "( a , UNCLOSED NL END");
  // A keyword that starts statements shows where the bracket should have been closed.
  EXPECT_EQ(Lex("(a,\nreturn b"), "( a , UNCLOSED NL return b NL END");
}

TEST(LexerTest, Limits) {
  EXPECT_EQ(Lex(std::string(kMaxIdentifierBytes, 'a')).size(), kMaxIdentifierBytes + 7);
  EXPECT_EQ(Lex(std::string(kMaxIdentifierBytes + 1, 'a') + " b"),
            "ERROR END | a name of 65537 bytes; the longest may have 65536");
  std::string steps;
  for (int i = 0; i <= kMaxBlockDepth + 1; ++i)
    absl::StrAppend(&steps, std::string(i, ' '), "a:\n");
  EXPECT_NE(Lex(steps).find("END | blocks nested more than 100 deep"), std::string::npos);
}

}  // namespace
}  // namespace lathe::relax_text
