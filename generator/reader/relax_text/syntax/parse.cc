#include "generator/reader/relax_text/syntax/parse.h"

#include <functional>

#include "generator/reader/relax_text/syntax/encoding.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/syntax/parse_block.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parser.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/support/check.h"

namespace lathe::relax_text {
namespace {

// Returns false for a literal inside a decoded literal: its text belongs to the tree, not to the
// file.
bool IsPartOf(absl::string_view part, const SourceFile* file) {
  if (file == nullptr) return false;
  const absl::string_view text = file->text();
  const std::less_equal<const char*> before;
  return before(text.data(), part.data()) &&
         before(part.data() + part.size(), text.data() + text.size());
}

}  // namespace

const ast::Module* Parse(SyntaxTree& tree, const SourceFile& file, Diagnostics& diags) {
  SyntaxErrors errors(&diags);
  const TextSpan start{&file, 0, 0};
  if (file.text().size() > kMaxFileBytes) {
    errors.LimitExceeded({&file, 0, 0}, "limit-input-size")
        << "the file has " << file.text().size() << " bytes; the largest may have "
        << kMaxFileBytes;
    return tree.Add(ast::Module{{}, start});
  }
  const LexInput input{file.text(), {&file, 0, static_cast<uint32_t>(file.text().size())}};
  if (!CheckEncoding(input, errors)) return tree.Add(ast::Module{{}, start});
  Parser p(tree, input, errors);
  Gathered<ast::StmtRef> statements;
  ParseStatements(p, statements);
  return tree.Add(ast::Module{tree.CopyList(statements), start});
}

const ast::Expr* ParseQuoted(SyntaxTree& tree, const ast::Expr& literal, Diagnostics& diags) {
  const auto* str = literal.As<ast::Str>();
  LATHE_CHECK(str != nullptr, "only a string can be read as an expression");
  SyntaxErrors errors(&diags);
  LexInput input{str->value, literal.span(), /*verbatim=*/false, /*is_file=*/false};
  if (str->verbatim && IsPartOf(str->value, literal.span().file)) {
    // The literal may have a prefix and one or three quotes on either side.
    const char* text = literal.span().file->text().data();
    input.verbatim = true;
    input.origin.begin = static_cast<uint32_t>(str->value.data() - text);
    input.origin.end = input.origin.begin + static_cast<uint32_t>(str->value.size());
  }
  if (!CheckEncoding(input, errors)) return nullptr;
  const int errors_before = diags.error_count();
  Parser p(tree, input, errors);
  const ast::Expr* e = ParseExpression(p);
  if (e == nullptr) return nullptr;
  if (!p.At(TokenKind::kEnd)) p.Unexpected("the end of the expression");
  // The expression may contain a literal that was diagnosed as too large.
  return diags.error_count() == errors_before ? e : nullptr;
}

}  // namespace lathe::relax_text
