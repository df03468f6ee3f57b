#include "generator/reader/relay_text/syntax/lexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "generator/reader/relay_text/syntax/limits.h"

namespace lathe::relay {
namespace {

bool IsNameStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameChar(char c) { return IsNameStart(c) || IsDigit(c); }

constexpr absl::string_view kPairs[] = {"=>", "->", "==", "!=", "<=", ">=", "&&", "||"};

class RelayLexer {
 public:
  RelayLexer(const SourceFile& file, Diagnostics& diags)
      : file_(file), text_(file.text()), diags_(diags) {}

  std::vector<Token> Run() {
    while (SkipBlanks() && diags_.error_count() < kMaxErrors) Lex();
    tokens_.push_back({TokenKind::kEnd, Size(), Size()});
    return std::move(tokens_);
  }

 private:
  uint32_t Size() const { return static_cast<uint32_t>(text_.size()); }
  char Peek(uint32_t ahead = 0) const { return at_ + ahead < Size() ? text_[at_ + ahead] : '\0'; }
  absl::string_view Rest() const { return text_.substr(at_); }

  // Returns false at the end of the file.
  bool SkipBlanks() {
    while (at_ < Size()) {
      const absl::string_view rest = Rest();
      if (absl::ascii_isspace(static_cast<unsigned char>(rest[0]))) {
        ++at_;
      } else if (absl::StartsWith(rest, "//") || IsHashComment(rest)) {
        while (at_ < Size() && text_[at_] != '\n') ++at_;
      } else if (absl::StartsWith(rest, "/*")) {
        SkipNestedComment();
      } else {
        return true;
      }
    }
    return false;
  }

  static bool IsHashComment(absl::string_view rest) {
    return rest[0] == '#' && !absl::StartsWith(rest, "#[");
  }

  // An unterminated comment reaches the end of the file, as in TVM.
  void SkipNestedComment() {
    int depth = 0;
    do {
      if (absl::StartsWith(Rest(), "/*")) {
        ++depth;
        at_ += 2;
      } else if (absl::StartsWith(Rest(), "*/")) {
        --depth;
        at_ += 2;
      } else {
        ++at_;
      }
    } while (depth > 0 && at_ < Size());
  }

  void Add(TokenKind kind, uint32_t begin) { tokens_.push_back({kind, begin, at_}); }

  void Lex() {
    const uint32_t begin = at_;
    const char c = Peek();
    if (c == '#') return LexSection();
    if (c == '"') return LexString();
    if (c == '%' || c == '@') return LexSigil(c);
    if (IsDigit(c)) return LexNumber();
    if (IsNameStart(c)) return LexName();
    for (absl::string_view pair : kPairs) {
      if (!absl::StartsWith(Rest(), pair)) continue;
      at_ += 2;
      return Add(TokenKind::kSymbol, begin);
    }
    ++at_;
    if (absl::StrContains("(){}[]<>,;:.=+-*/?|", c)) return Add(TokenKind::kSymbol, begin);
    while (at_ < Size() && (text_[at_] & 0xC0) == 0x80) ++at_;  // the rest of a UTF-8 sequence
    diags_.Error(TextSpan{&file_, begin, at_}, "relay-syntax") << "invalid character in Relay text";
  }

  void LexSection() {
    const uint32_t begin = at_;
    if (absl::StartsWith(Rest(), "#[metadata]")) {
      at_ = Size();
      return Add(TokenKind::kMetadata, begin);
    }
    const size_t close = text_.find(']', at_);
    at_ = close == absl::string_view::npos ? Size() : static_cast<uint32_t>(close) + 1;
    if (absl::StartsWith(text_.substr(begin), "#[version")) return Add(TokenKind::kVersion, begin);
    diags_.Error(TextSpan{&file_, begin, at_}, "relay-syntax")
        << "unknown section; the sections are #[version = \"0.0.5\"] and #[metadata]";
  }

  // TVM prints strings with escapes that it does not read back; they are read here.
  void LexString() {
    const uint32_t begin = at_++;
    while (at_ < Size() && Peek() != '"' && Peek() != '\n') at_ += Peek() == '\\' ? 2 : 1;
    if (Peek() != '"') {
      at_ = std::min(at_, Size());
      diags_.Error(TextSpan{&file_, begin, at_}, "relay-syntax") << "unterminated string";
      return;
    }
    ++at_;
    Add(TokenKind::kString, begin);
  }

  void LexSigil(char sigil) {
    const uint32_t begin = at_++;
    if (sigil == '%' && IsDigit(Peek())) {
      while (IsDigit(Peek())) ++at_;
      if (!IsNameStart(Peek())) return Add(TokenKind::kGraph, begin);
    }
    // A slash is a letter of a name, unless it cannot be anything but a division.
    while (IsNameChar(Peek()) || (Peek() == '/' && IsNameChar(Peek(1)))) ++at_;
    if (at_ > begin + 1) {
      return Add(sigil == '%' ? TokenKind::kLocal : TokenKind::kGlobal, begin);
    }
    diags_.Error(TextSpan{&file_, begin, at_}, "relay-syntax")
        << "'" << std::string(1, sigil) << "' has to be followed by a name";
  }

  bool FollowsDot(uint32_t begin) const {
    if (tokens_.empty()) return false;
    const Token& last = tokens_.back();
    return last.kind == TokenKind::kSymbol && last.end == begin && text_[last.begin] == '.';
  }

  void LexNumber() {
    const uint32_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    if (FollowsDot(begin)) return Add(TokenKind::kNumber, begin);  // the index of a projection
    if (Peek() == '.') {
      ++at_;
      while (IsDigit(Peek())) ++at_;
    }
    if (Peek() == 'e' || Peek() == 'E') {
      const uint32_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
      if (IsDigit(Peek(1 + sign))) {
        at_ += 1 + sign;
        while (IsDigit(Peek())) ++at_;
      }
    }
    while (IsNameChar(Peek())) ++at_;  // the suffix
    Add(TokenKind::kNumber, begin);
  }

  void LexName() {
    const uint32_t begin = at_;
    while (IsNameChar(Peek())) ++at_;
    const absl::string_view name = text_.substr(begin, at_ - begin);
    if (name == "match" && Peek() == '?') ++at_;
    const bool number = name == "inff" || name == "inff16" || name == "inff32" ||
                        name == "inff64" || name == "nanf" || name == "nanf16" ||
                        name == "nanf32" || name == "nanf64";
    Add(number ? TokenKind::kNumber : TokenKind::kName, begin);
  }

  const SourceFile& file_;
  const absl::string_view text_;
  Diagnostics& diags_;
  uint32_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Tokenize(const SourceFile& file, Diagnostics& diags) {
  return RelayLexer(file, diags).Run();
}

}  // namespace lathe::relay
