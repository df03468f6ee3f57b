#include "generator/reader/relax_text/syntax/lexer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/reader/relax_text/syntax/char_class.h"
#include "generator/reader/relax_text/syntax/lex_number.h"
#include "generator/reader/relax_text/syntax/lex_operator.h"
#include "generator/reader/relax_text/syntax/lex_string.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/support/utf8.h"

namespace lathe::relax_text {
namespace {

// Keywords that start a statement and stand nowhere inside brackets: one at the start of a line
// shows that a bracket before it was never closed.
bool StartsStatementOnly(TokenKind kind) {
  switch (kind) {
    case TokenKind::kAssert:
    case TokenKind::kBreak:
    case TokenKind::kClass:
    case TokenKind::kContinue:
    case TokenKind::kDef:
    case TokenKind::kDel:
    case TokenKind::kGlobal:
    case TokenKind::kImport:
    case TokenKind::kNonlocal:
    case TokenKind::kPass:
    case TokenKind::kRaise:
    case TokenKind::kReturn:
    case TokenKind::kTry:
    case TokenKind::kWhile:
    case TokenKind::kWith:
      return true;
    default:
      return false;
  }
}

}  // namespace

Lexer::Lexer(const LexInput& input, SyntaxErrors& errors)
    : input_(input), errors_(&errors), at_line_start_(input.is_file) {
  constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (input.is_file && input.text.substr(0, 3) == kByteOrderMark) at_ = 3;
}

Token Lexer::Next() {
  while (true) {
    if (errors_->stopped()) return {TokenKind::kEnd, false, at_, at_};
    if (pending_newline_) {
      pending_newline_ = false;
      return TokenFrom(TokenKind::kNewline, at_);
    }
    if (pending_dedents_ > 0) {
      --pending_dedents_;
      return TokenFrom(TokenKind::kDedent, at_);
    }
    if (at_line_start_) {
      if (std::optional<Token> token = StartLine()) return *token;
      continue;
    }
    if (!SkipBlanksAndComments()) return LexInvalidChar();
    const char c = input_.At(at_);
    if (at_ >= input_.text.size() || (IsLineEnd(c) && brackets_.empty() && input_.is_file)) {
      return EndLine();
    }
    if (IsLineEnd(c)) {
      SkipLineEnd();
      new_line_in_brackets_ = true;
      continue;
    }

    const bool first_on_line = new_line_in_brackets_ || !line_has_tokens_;
    new_line_in_brackets_ = false;
    line_has_tokens_ = true;
    Token token;
    if (const int prefix = StringPrefixLength(input_, at_); prefix >= 0) {
      token = LexString(input_, at_, prefix, *errors_);
      at_ = token.end;
    } else if (StartsName(c)) {
      token = LexName();
    } else if (IsDigit(c) || (c == '.' && IsDigit(input_.At(at_ + 1)))) {
      token = LexNumber(input_, at_, *errors_);
      at_ = token.end;
    } else {
      token = LexOperator();
    }
    token.first_on_line = first_on_line;
    if (first_on_line && !brackets_.empty() && input_.is_file && StartsStatementOnly(token.kind)) {
      const Token unclosed = Unclosed();
      RestartAt(token);
      return unclosed;
    }
    return token;
  }
}

// At the start of a line outside of brackets: skips lines without tokens, then returns the token
// for the change of indentation, if any.
std::optional<Token> Lexer::StartLine() {
  Column column;
  // A line that is continued within its indentation has the column of its first part.
  Column continued_at;
  bool continued = false;
  while (true) {
    const char c = input_.At(at_);
    if (IsBlank(c)) {
      column.Advance(c);
      ++at_;
    } else if (c == '\\' && IsLineEnd(input_.At(at_ + 1))) {
      if (!continued) continued_at = column;
      continued = true;
      ++at_;
      SkipLineEnd();
    } else if (c == '#') {
      SkipComment();
    } else if (IsLineEnd(c)) {
      SkipLineEnd();
      column = Column();
      continued = false;
    } else {
      break;
    }
  }
  if (at_ >= input_.text.size()) {
    if (continued) ReportNothingContinued();
    // at_line_start_ remains set, so that later calls return the end again.
    pending_dedents_ = indentation_.Close();
    if (pending_dedents_ > 0) return std::nullopt;
    return TokenFrom(TokenKind::kEnd, at_);
  }
  at_line_start_ = false;
  line_has_tokens_ = false;
  return Indent(continued ? continued_at : column);
}

std::optional<Token> Lexer::Indent(Column column) {
  const Indentation::Change change = indentation_.MoveTo(column);
  const uint32_t line_begin = at_;
  if (!change.consistent && !tabs_reported_) {
    tabs_reported_ = true;
    errors_->Error(input_.Span(line_begin, line_begin), "syntax-indentation")
        << "inconsistent use of tabs and spaces in indentation";
  }
  if (!change.matches) {
    errors_->Error(input_.Span(line_begin, line_begin), "syntax-indentation")
        << "unindent does not match any outer indentation level";
  }
  if (indentation_.depth() > kMaxBlockDepth) {
    errors_->LimitExceeded(input_.Span(line_begin, line_begin), "limit-nesting")
        << "blocks nested more than " << kMaxBlockDepth << " deep";
  }
  pending_dedents_ = change.dedents;
  if (change.indent) return TokenFrom(TokenKind::kIndent, at_);
  return std::nullopt;
}

// Returns false at a backslash that does not continue a line.
bool Lexer::SkipBlanksAndComments() {
  while (true) {
    const char c = input_.At(at_);
    if (IsBlank(c)) {
      ++at_;
    } else if (c == '#') {
      SkipComment();
    } else if (c == '\\') {
      if (!IsLineEnd(input_.At(at_ + 1))) return false;
      ++at_;
      SkipLineEnd();
      if (at_ >= input_.text.size()) ReportNothingContinued();
    } else {
      return true;
    }
  }
}

void Lexer::ReportNothingContinued() {
  errors_->Error(input_.Span(at_ - 1, at_ - 1), "syntax-error")
      << "the file ends after a line continuation";
}

void Lexer::SkipComment() {
  const size_t end = input_.text.find_first_of("\r\n", at_);
  at_ = static_cast<uint32_t>(std::min(end, input_.text.size()));
}

void Lexer::SkipLineEnd() { at_ += input_.At(at_) == '\r' && input_.At(at_ + 1) == '\n' ? 2 : 1; }

// At the end of a line outside brackets, or at the end of the text anywhere.
Token Lexer::EndLine() {
  if (!brackets_.empty()) {
    const Token unclosed = Unclosed();
    brackets_.clear();
    return unclosed;
  }
  const uint32_t begin = at_;
  if (!input_.is_file) return TokenFrom(TokenKind::kEnd, begin);
  if (at_ < input_.text.size()) SkipLineEnd();
  at_line_start_ = true;
  return {TokenKind::kNewline, false, begin, begin};
}

Token Lexer::LexName() {
  const uint32_t begin = at_;
  bool ascii = true;
  while (ContinuesName(input_.At(at_))) ascii &= !IsNonAscii(input_.text[at_++]);
  if (at_ - begin > kMaxIdentifierBytes) {
    errors_->LimitExceeded(input_.Span(begin, begin + 1), "limit-identifier")
        << "a name of " << at_ - begin << " bytes; the longest may have " << kMaxIdentifierBytes;
    return TokenFrom(TokenKind::kError, begin);
  }
  for (uint32_t i = begin; !ascii && i < at_;) {
    const DecodedChar c = DecodeChar(input_.text, i);
    if (!MayBeInName(c.code)) {
      if (i > begin) {
        at_ = i;
        break;
      }
      at_ = begin;
      return LexInvalidChar();
    }
    i += c.length;
  }
  return TokenFrom(KeywordOrName(input_.text.substr(begin, at_ - begin)), begin);
}

Token Lexer::LexOperator() {
  const OperatorMatch match = MatchOperator(input_.text.substr(at_, 3));
  if (match.length == 0) return LexInvalidChar();
  const uint32_t begin = at_;
  at_ += match.length;
  const Token token = TokenFrom(match.kind, begin);
  if (IsOpening(token.kind)) return OpenBracket(token);
  if (IsClosing(token.kind)) return CloseBracket(token);
  return token;
}

// Reports and skips the current character, which cannot start a token.
Token Lexer::LexInvalidChar() {
  const uint32_t begin = at_;
  const char c = input_.text[begin];
  const DecodedChar decoded = DecodeChar(input_.text, begin);
  const absl::string_view written = input_.text.substr(begin, decoded.length);
  at_ += decoded.length;
  line_has_tokens_ = true;
  const TextSpan span = input_.Span(begin, at_);
  if (c == '\\' && at_ >= input_.text.size()) {
    ReportNothingContinued();
  } else if (c == '\\') {
    errors_->Error(span, "syntax-error") << "unexpected character after the line continuation '\\'";
  } else if (c == '!') {
    errors_->Error(span, "syntax-error").Help("negation is written 'not'")
        << "invalid character '!'";
  } else if (decoded.code < 0x20 || decoded.code == 0x7F || decoded.code == 0xA0 ||
             decoded.code == 0xFEFF || (decoded.code >= 0x2000 && decoded.code <= 0x200F)) {
    errors_->Error(span, "syntax-error")
        << absl::StrFormat("invalid invisible character U+%04X", decoded.code);
  } else if (IsNonAscii(c)) {
    errors_->Error(span, "syntax-error") << absl::StrCat(
        "invalid character '", written, "' (U+", absl::StrFormat("%04X", decoded.code), ")");
  } else {
    errors_->Error(span, "syntax-error") << "invalid character '" << written << "'";
  }
  return TokenFrom(TokenKind::kError, begin);
}

Token Lexer::OpenBracket(Token token) {
  if (brackets_.size() >= kMaxExprDepth) {
    errors_->LimitExceeded(input_.Span(token.begin, token.end), "limit-nesting")
        << "brackets nested more than " << kMaxExprDepth << " deep";
    token.kind = TokenKind::kError;
    return token;
  }
  brackets_.push_back(token);
  return token;
}

Token Lexer::CloseBracket(Token token) {
  const TextSpan span = input_.Span(token.begin, token.end);
  const absl::string_view closing = input_.text.substr(token.begin, 1);
  if (brackets_.empty()) {
    errors_->Error(span, "syntax-bracket") << "unmatched '" << closing << "'";
    token.kind = TokenKind::kError;
    return token;
  }
  const Token open = brackets_.back();
  if (ClosingOf(open.kind) == token.kind) {
    brackets_.pop_back();
    return token;
  }
  const absl::string_view opening = input_.text.substr(open.begin, 1);
  errors_->Error(span, "syntax-bracket")
          .Note(input_.Span(open.begin, open.end), absl::StrCat("'", opening, "' opened here"))
      << "'" << closing << "' does not match the opening '" << opening << "'";
  // It closes the bracket that it matches further out, if there is one, else the innermost.
  size_t keep = brackets_.size() - 1;
  for (size_t i = brackets_.size(); i-- > 0;) {
    if (ClosingOf(brackets_[i].kind) == token.kind) {
      keep = i;
      break;
    }
  }
  brackets_.resize(keep);
  token.kind = TokenKind::kError;
  return token;
}

Token Lexer::Unclosed() {
  Token token = brackets_.back();
  token.kind = TokenKind::kUnclosed;
  return token;
}

bool Lexer::LooksLikeNewStatement(const Token& token) const {
  if (!token.first_on_line || brackets_.empty() || !input_.is_file) return false;
  const bool could_start =
      token.kind == TokenKind::kName || token.kind == TokenKind::kAt || IsKeyword(token.kind);
  if (!could_start) return false;
  Column column;
  uint32_t begin = token.begin;
  while (begin > 0 && IsBlank(input_.text[begin - 1])) --begin;
  for (; begin < token.begin; ++begin) column.Advance(input_.text[begin]);
  return column.column <= indentation_.current();
}

void Lexer::RestartAt(const Token& token) {
  brackets_.clear();
  at_ = token.begin;
  while (at_ > 0 && IsBlank(input_.text[at_ - 1])) --at_;
  at_line_start_ = true;
  pending_newline_ = true;
}

Lexer Lexer::Lookahead(SyntaxErrors& muted) const {
  Lexer copy = *this;
  copy.errors_ = &muted;
  return copy;
}

}  // namespace lathe::relax_text
