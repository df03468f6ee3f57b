// Expressions in quotes, as in R.Tensor(("n * 2",)).
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/parse.h"
#include "gtest/gtest.h"
#include "tests/support/syntax_dump.h"

namespace lathe::relax_text {
namespace {

// Reads the expression in the string literal that `text` is. Its tree and place, or its errors.
std::string ReadQuoted(const std::string& text) {
  const SourceFile file("t.py", text);
  Diagnostics diags;
  SyntaxTree tree;
  const ast::Module* module = Parse(tree, file, diags);
  const ast::Expr* e = ParseQuoted(tree, *module->body[0]->As<ast::ExprStmt>()->value, diags);
  if (e == nullptr) return Render(diags.all()[0]);
  return absl::StrCat(DumpExpr(*e), " at ",
                      file.text().substr(e->span().begin, e->span().end - e->span().begin));
}

TEST(ParseQuotedTest, SpansPointIntoTheLiteral) {
  EXPECT_EQ(ReadQuoted("'n * 2'"), "(* n 2) at n * 2");
  EXPECT_EQ(ReadQuoted("  \n\"\"\" n\n + 1 \"\"\""), "(+ n 1) at n\n + 1");
  EXPECT_EQ(ReadQuoted("r'n'"), "n at n");
}

TEST(ParseQuotedTest, SpansAreTheLiteralWhenItHasEscapes) {
  EXPECT_EQ(ReadQuoted(R"py("T.Cast(\"int64\", n)")py"),
            R"py((call (. T Cast) "int64" n) at "T.Cast(\"int64\", n)")py");
  EXPECT_EQ(ReadQuoted("'n' ' * 2'"), "(* n 2) at 'n' ' * 2'");
}

TEST(ParseQuotedTest, Errors) {
  EXPECT_EQ(ReadQuoted("'n +'"),
            "t.py:1:5: error: expected an expression, got the end of the string [syntax-error]\n"
            "  'n +'\n"
            "      ^");
  EXPECT_EQ(ReadQuoted("'n m'"),
            "t.py:1:4: error: expected the end of the expression, got 'm' [syntax-error]\n"
            "  'n m'\n"
            "     ^");
  EXPECT_EQ(ReadQuoted("'f(n'"),
            "t.py:1:3: error: '(' was never closed [syntax-bracket]\n"
            "  'f(n'\n"
            "    ^");
  EXPECT_EQ(ReadQuoted("''"),
            "t.py:1:2: error: expected an expression, got the end of the string [syntax-error]\n"
            "  ''\n"
            "   ^");
}

TEST(ParseQuotedTest, ANumberThatDoesNotFit) {
  EXPECT_EQ(ReadQuoted("'n + 18446744073709551616'"),
            "t.py:1:6: error: the integer does not fit in 64 bits [syntax-number]\n"
            "  'n + 18446744073709551616'\n"
            "       ^~~~~~~~~~~~~~~~~~~~");
}

// A literal in a literal with escapes: its text is in no file.
TEST(ParseQuotedTest, Twice) {
  const SourceFile file("t.py", R"py("f(\"n + 1\")")py");
  Diagnostics diags;
  SyntaxTree tree;
  const ast::Module* module = Parse(tree, file, diags);
  const ast::Expr* outer = ParseQuoted(tree, *module->body[0]->As<ast::ExprStmt>()->value, diags);
  ASSERT_NE(outer, nullptr);
  const ast::Expr* inner = ParseQuoted(tree, *outer->As<ast::Call>()->args[0], diags);
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(DumpExpr(*inner), "(+ n 1)");
  EXPECT_EQ(inner->span().begin, 0u);
  EXPECT_EQ(inner->span().end, file.text().size());
}

}  // namespace
}  // namespace lathe::relax_text
