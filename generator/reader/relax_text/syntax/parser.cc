#include "generator/reader/relax_text/syntax/parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/limits.h"

namespace lathe::relax_text {

void Parser::Advance() {
  switch (token_.kind) {
    case TokenKind::kEnd:
    case TokenKind::kNewline:
    case TokenKind::kIndent:
    case TokenKind::kDedent:
      break;
    default:
      last_end_ = token_.end;
  }
  token_ = lexer_.Next();
}

bool Parser::Expect(TokenKind kind, absl::string_view after) {
  if (Accept(kind)) return true;
  const bool wants_colon_got_equal = kind == TokenKind::kColon && At(TokenKind::kEqual);
  Unexpected(after.empty() ? std::string(Describe(kind)) : absl::StrCat(Describe(kind), " ", after),
             wants_colon_got_equal ? "'==' compares, '=' assigns" : "");
  return false;
}

bool Parser::ExpectName(absl::string_view what, Token& name) {
  if (At(TokenKind::kName)) {
    name = token_;
    Advance();
    return true;
  }
  if (IsKeyword(token_.kind)) {
    Error(Span(token_)) << "expected " << what << ", got '" << Text(token_)
                        << "', which is a keyword";
  } else {
    Unexpected(what);
  }
  return false;
}

void Parser::Unexpected(absl::string_view wanted, absl::string_view help) {
  if (At(TokenKind::kError)) return;
  const bool unclosed = At(TokenKind::kUnclosed);
  const Token* open = unclosed ? &token_ : lexer_.open_bracket();
  if (unclosed || lexer_.LooksLikeNewStatement(token_)) {
    errors_.Error(Span(*open), "syntax-bracket") << "'" << Text(*open) << "' was never closed";
    return;
  }
  std::string got(Describe(token_.kind));
  if (At(TokenKind::kName)) got = absl::StrCat("'", Text(token_), "'");
  if (At(TokenKind::kEnd) && !lexer_.input().is_file) got = "the end of the string";
  DiagnosticBuilder error = errors_.Error(Span(token_), "syntax-error");
  error << "expected " << wanted << ", got " << got;
  if (open != nullptr && open->begin != token_.begin) {
    std::move(error).Note(Span(*open), absl::StrCat("inside the '", Text(*open), "' opened here"));
  }
  if (!help.empty()) std::move(error).Help(help);
}

const ast::Expr* Parser::Make(uint32_t begin, const ast::Expr::Node& node) {
  const TextSpan span = SpanFrom(begin);
  const ast::Expr* e = tree_.Add(span, node);
  if (e->depth() > kMaxExprDepth) {
    errors_.LimitExceeded(span, "limit-nesting")
        << "an expression more than " << kMaxExprDepth << " operations deep";
    return nullptr;
  }
  if (tree_.node_count() > kMaxNodes) {
    errors_.LimitExceeded(span, "limit-input-size") << "more than " << kMaxNodes << " expressions";
    return nullptr;
  }
  return e;
}

Parser::Nesting::Nesting(Parser& p) : p_(p), ok_(++p.depth_ <= kMaxExprDepth) {
  if (ok_) return;
  p.errors_.LimitExceeded(p.Span(p.token_), "limit-nesting")
      << "an expression nested more than " << kMaxExprDepth << " deep";
}

bool Parser::EnterBlock() {
  if (++block_depth_ <= kMaxBlockDepth) return true;
  errors_.LimitExceeded(Span(token_), "limit-nesting")
      << "blocks nested more than " << kMaxBlockDepth << " deep";
  return false;
}

}  // namespace lathe::relax_text
