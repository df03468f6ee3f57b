#include "generator/reader/relax_text/syntax/lex_number.h"

#include <limits>
#include <string>
#include <system_error>

#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/char_class.h"

namespace lathe::relax_text {
namespace {

int BaseOf(absl::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'x':
    case 'X':
      return 16;
    case 'o':
    case 'O':
      return 8;
    case 'b':
    case 'B':
      return 2;
    default:
      return 10;
  }
}

absl::string_view BaseName(int base) {
  return base == 16 ? "hexadecimal" : base == 10 ? "decimal" : base == 8 ? "octal" : "binary";
}

// Python lets a keyword follow a number without a space, as in `1if x else 2`.
bool KeywordFollows(absl::string_view rest) {
  for (absl::string_view keyword : {"and", "else", "for", "if", "in", "is", "not", "or"}) {
    if (absl::StartsWith(rest, keyword)) return true;
  }
  return false;
}

class NumberLexer {
 public:
  NumberLexer(const LexInput& input, uint32_t begin, SyntaxErrors& errors)
      : input_(input), begin_(begin), at_(begin), errors_(errors) {}

  Token Lex() {
    const int base = BaseOf(input_.text.substr(begin_, 2));
    const TokenKind kind = base == 10 ? LexDecimal() : LexInBase(base);
    if (kind == TokenKind::kError) return Token{kind, false, begin_, at_};
    if (ContinuesName(input_.At(at_)) && !KeywordFollows(input_.text.substr(at_))) {
      return InvalidText("a letter may not follow a number");
    }
    return Token{kind, false, begin_, at_};
  }

 private:
  // Skips digits in `base` with single underscores between them. Returns false, with `at_` at the
  // underscore, if an underscore is not followed by a digit.
  bool Digits(int base) {
    while (true) {
      while (DigitValue(input_.At(at_)) < base) ++at_;
      if (input_.At(at_) != '_') return true;
      if (DigitValue(input_.At(at_ + 1)) >= base) return false;
      ++at_;
    }
  }

  TokenKind LexInBase(int base) {
    at_ += 2;
    const uint32_t digits = at_;
    if (input_.At(at_) == '_') ++at_;
    const bool tidy = Digits(base);
    if (IsDigit(input_.At(at_))) {
      return Invalid(absl::StrCat("the digit '", input_.text.substr(at_, 1), "' in ",
                                  base == 8 ? "an " : "a ", BaseName(base), " number"))
          .kind;
    }
    if (tidy && at_ > digits && input_.text[at_ - 1] != '_') return TokenKind::kInt;
    return InvalidText(absl::StrCat("invalid ", BaseName(base), " number")).kind;
  }

  TokenKind LexDecimal() {
    TokenKind kind = TokenKind::kInt;
    if (input_.At(at_) != '.' && !Digits(10)) return InvalidText("invalid decimal number").kind;
    const uint32_t whole_end = at_;
    if (input_.At(at_) == '.') {
      kind = TokenKind::kFloat;
      ++at_;
      if (IsDigit(input_.At(at_)) && !Digits(10)) return InvalidText("invalid decimal number").kind;
    }
    if (const char c = input_.At(at_); c == 'e' || c == 'E') {
      const char sign = input_.At(at_ + 1);
      const uint32_t digits = at_ + (sign == '+' || sign == '-' ? 2 : 1);
      if (IsDigit(input_.At(digits))) {
        kind = TokenKind::kFloat;
        at_ = digits;
        if (!Digits(10)) return InvalidText("invalid decimal number").kind;
      }
    }
    if (const char c = input_.At(at_); c == 'j' || c == 'J') {
      ++at_;
      return TokenKind::kImaginary;
    }
    const absl::string_view whole = input_.text.substr(begin_, whole_end - begin_);
    if (kind == TokenKind::kInt && whole.size() > 1 && whole[0] == '0' &&
        whole.find_first_not_of("0_") != absl::string_view::npos) {
      return Invalid("leading zeros in a decimal number; an octal one is written 0o17").kind;
    }
    return kind;
  }

  // Reports the number as invalid and skips all characters attached to it.
  Token Invalid(absl::string_view message) {
    while (ContinuesName(input_.At(at_))) ++at_;
    errors_.Error(input_.Span(begin_, at_), "syntax-number") << message;
    return Token{TokenKind::kError, false, begin_, at_};
  }

  // Appends the number to the message, unless it is so long that it would hide the message.
  Token InvalidText(absl::string_view message) {
    constexpr uint32_t kQuotedBytes = 40;
    uint32_t end = at_;
    while (ContinuesName(input_.At(end))) ++end;
    if (end - begin_ > kQuotedBytes) return Invalid(message);
    return Invalid(absl::StrCat(message, ": '", input_.text.substr(begin_, end - begin_), "'"));
  }

  const LexInput& input_;
  const uint32_t begin_;
  uint32_t at_;
  SyntaxErrors& errors_;
};

}  // namespace

Token LexNumber(const LexInput& input, uint32_t begin, SyntaxErrors& errors) {
  return NumberLexer(input, begin, errors).Lex();
}

ast::Int IntValue(absl::string_view text) {
  const uint64_t base = BaseOf(text);
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  uint64_t value = 0;
  for (char c : text.substr(base == 10 ? 0 : 2)) {
    if (c == '_') continue;
    const uint64_t digit = DigitValue(c);
    if (value > (kMax - digit) / base) return {kMax, false};
    value = value * base + digit;
  }
  return {value, true};
}

ast::Float FloatValue(absl::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  double value = 0;
  const absl::from_chars_result result =
      absl::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Too large a number is infinity in Python; too small a one is zero here and there.
  if (result.ec == std::errc::result_out_of_range && value > 1) {
    value = std::numeric_limits<double>::infinity();
  }
  return {value, text};
}

}  // namespace lathe::relax_text
