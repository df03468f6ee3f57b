#include "generator/reader/relax_text/syntax/parse_string.h"

#include <algorithm>
#include <string>

#include "generator/reader/relax_text/syntax/char_class.h"
#include "generator/reader/relax_text/syntax/lex_string.h"

namespace lathe::relax_text {
namespace {

bool IsStringToken(TokenKind kind) {
  return kind == TokenKind::kString || kind == TokenKind::kFString || kind == TokenKind::kBytes;
}

}  // namespace

ast::ExprRef ParseString(Parser& p) {
  const uint32_t begin = p.begin();
  Gathered<Token> literals;
  while (IsStringToken(p.token().kind)) {
    literals.push_back(p.token());
    p.Advance();
  }
  const auto count = [&](TokenKind kind) {
    return static_cast<size_t>(std::count_if(literals.begin(), literals.end(),
                                             [&](const Token& t) { return t.kind == kind; }));
  };
  if (const size_t bytes = count(TokenKind::kBytes); bytes > 0) {
    const absl::string_view text = p.lexer().input().text.substr(begin, p.last_end() - begin);
    if (bytes < literals.size()) {
      p.errors().Error(p.SpanFrom(begin), "syntax-string")
          << "a string and a bytes literal cannot be concatenated";
      return nullptr;
    }
    if (std::any_of(text.begin(), text.end(), IsNonAscii)) {
      p.errors().Error(p.SpanFrom(begin), "syntax-string")
          << "a bytes literal must contain ASCII characters only";
      return nullptr;
    }
    return p.Make(begin, ast::UnsupportedExpr{"a bytes literal"});
  }
  if (count(TokenKind::kFString) > 0) return p.Make(begin, ast::FString{});

  const LexInput& input = p.lexer().input();
  const StringParts first = PartsOf(input, literals[0]);
  if (literals.size() == 1 && IsVerbatim(input, first)) {
    const absl::string_view value =
        input.text.substr(first.content_begin, first.content_end - first.content_begin);
    return p.Make(begin, ast::Str{value, true});
  }
  std::string value;
  for (const Token& literal : literals) {
    if (!AppendValue(input, PartsOf(input, literal), value, p.errors())) return nullptr;
  }
  return p.Make(begin, ast::Str{p.tree().CopyText(value), false});
}

}  // namespace lathe::relax_text
