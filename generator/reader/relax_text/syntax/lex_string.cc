#include "generator/reader/relax_text/syntax/lex_string.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "generator/reader/relax_text/syntax/char_class.h"
#include "generator/support/utf8.h"

namespace lathe::relax_text {
namespace {

bool IsQuote(char c) { return c == '\'' || c == '"'; }

bool IsTriple(const LexInput& input, uint32_t quote) {
  const char c = input.At(quote);
  return input.At(quote + 1) == c && input.At(quote + 2) == c;
}

bool HasPrefix(absl::string_view prefix, char letter) {
  return prefix.find(letter) != absl::string_view::npos ||
         prefix.find(absl::ascii_toupper(letter)) != absl::string_view::npos;
}

// Decodes what follows a backslash; `at` is past the backslash, and left past the escape.
class EscapeDecoder {
 public:
  EscapeDecoder(const LexInput& input, uint32_t end, SyntaxErrors& errors)
      : input_(input), end_(end), errors_(errors) {}

  bool Append(uint32_t& at, std::string& out) {
    const uint32_t escape = at - 1;
    const char c = input_.text[at++];
    switch (c) {
      case '\r':
        if (at < end_ && input_.text[at] == '\n') ++at;
        return true;
      case '\n':
        return true;
      case '\\':
      case '\'':
      case '"':
        out += c;
        return true;
      case 'a':
        out += '\a';
        return true;
      case 'b':
        out += '\b';
        return true;
      case 'f':
        out += '\f';
        return true;
      case 'n':
        out += '\n';
        return true;
      case 'r':
        out += '\r';
        return true;
      case 't':
        out += '\t';
        return true;
      case 'v':
        out += '\v';
        return true;
      case 'x':
        return AppendHex(escape, at, 2, out);
      case 'u':
        return AppendHex(escape, at, 4, out);
      case 'U':
        return AppendHex(escape, at, 8, out);
      case 'N':
        errors_.Unsupported(input_.Span(escape, at), "syntax-string")
            << "named characters, such as '\\N{DASH}', are not supported; write the character "
               "itself or its code, as in '\\u2013'";
        return false;
      default:
        break;
    }
    if (c >= '0' && c <= '7') {
      uint32_t code = c - '0';
      for (int i = 0; i < 2 && at < end_ && DigitValue(input_.text[at]) < 8; ++i) {
        code = code * 8 + DigitValue(input_.text[at++]);
      }
      AppendUtf8(code, out);
      return true;
    }
    // Python keeps the backslash of an unknown escape.
    out += '\\';
    out += c;
    return true;
  }

 private:
  bool AppendHex(uint32_t escape, uint32_t& at, int digits, std::string& out) {
    uint64_t code = 0;
    for (int i = 0; i < digits; ++i) {
      if (at >= end_ || DigitValue(input_.text[at]) >= 16) {
        errors_.Error(input_.Span(escape, at), "syntax-string")
            << "'\\" << input_.text.substr(escape + 1, 1) << "' needs " << digits
            << " hexadecimal digits, got " << i;
        return false;
      }
      code = code * 16 + DigitValue(input_.text[at++]);
    }
    if (code > 0x10FFFF) {
      errors_.Error(input_.Span(escape, at), "syntax-string")
          << "'" << input_.text.substr(escape, at - escape)
          << "' exceeds the last code point, '\\U0010ffff'";
      return false;
    }
    if (code >= 0xD800 && code <= 0xDFFF) {
      errors_.Unsupported(input_.Span(escape, at), "syntax-string")
          << "a lone surrogate, '" << input_.text.substr(escape, at - escape)
          << "', is not supported; write the character itself";
      return false;
    }
    AppendUtf8(static_cast<uint32_t>(code), out);
    return true;
  }

  const LexInput& input_;
  uint32_t end_;
  SyntaxErrors& errors_;
};

}  // namespace

int StringPrefixLength(const LexInput& input, uint32_t at) {
  if (IsQuote(input.At(at))) return 0;
  const char first = absl::ascii_tolower(input.At(at));
  if (first != 'r' && first != 'b' && first != 'f' && first != 'u') return -1;
  if (IsQuote(input.At(at + 1))) return 1;
  const char second = absl::ascii_tolower(input.At(at + 1));
  const bool pair = (first == 'r' && (second == 'b' || second == 'f')) ||
                    ((first == 'b' || first == 'f') && second == 'r');
  return pair && IsQuote(input.At(at + 2)) ? 2 : -1;
}

Token LexString(const LexInput& input, uint32_t begin, int prefix_length, SyntaxErrors& errors) {
  const absl::string_view prefix = input.text.substr(begin, prefix_length);
  Token token{TokenKind::kString, false, begin, begin};
  if (HasPrefix(prefix, 'b')) token.kind = TokenKind::kBytes;
  if (HasPrefix(prefix, 'f')) token.kind = TokenKind::kFString;

  const uint32_t open = begin + prefix_length;
  const char quote = input.text[open];
  const bool triple = IsTriple(input, open);
  uint32_t at = open + (triple ? 3 : 1);
  while (at < input.text.size()) {
    const char c = input.text[at];
    if (c == '\\') {
      at += input.At(at + 1) == '\r' && input.At(at + 2) == '\n' ? 3 : 2;
      continue;
    }
    if (c == quote && (!triple || IsTriple(input, at))) {
      token.end = at + (triple ? 3 : 1);
      return token;
    }
    if (!triple && IsLineEnd(c)) break;
    ++at;
  }
  token.kind = TokenKind::kError;
  token.end = std::min<uint32_t>(at, input.text.size());
  // The whole of a long unterminated string says less than where it starts.
  errors.Error(input.Span(begin, open + (triple ? 3 : 1)), "syntax-string")
      << (triple ? "unterminated triple-quoted string" : "unterminated string");
  return token;
}

StringParts PartsOf(const LexInput& input, const Token& string) {
  uint32_t open = string.begin;
  while (!IsQuote(input.text[open])) ++open;
  // '' is empty, not the start of a triple quote: six characters are the shortest of those.
  const uint32_t width = string.end - open >= 6 && IsTriple(input, open) ? 3 : 1;
  const bool raw = HasPrefix(input.text.substr(string.begin, open - string.begin), 'r');
  return {open + width, string.end - width, raw};
}

bool IsVerbatim(const LexInput& input, const StringParts& parts) {
  const absl::string_view content =
      input.text.substr(parts.content_begin, parts.content_end - parts.content_begin);
  return content.find_first_of(parts.raw ? "\r" : "\\\r") == absl::string_view::npos;
}

bool AppendValue(const LexInput& input, const StringParts& parts, std::string& out,
                 SyntaxErrors& errors) {
  EscapeDecoder decoder(input, parts.content_end, errors);
  uint32_t at = parts.content_begin;
  bool good = true;
  while (at < parts.content_end) {
    const char c = input.text[at++];
    if (c == '\r') {
      // Line ends are \n in a value, whatever they are in the file.
      if (at < parts.content_end && input.text[at] == '\n') ++at;
      out += '\n';
    } else if (c == '\\' && !parts.raw && at < parts.content_end) {
      good &= decoder.Append(at, out);
    } else {
      out += c;
    }
  }
  return good;
}

}  // namespace lathe::relax_text
