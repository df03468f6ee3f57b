#include "tests/hostile/c_tokens.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/support/status.h"

namespace lathe::hostile {
namespace {

bool IsLetter(char c) { return c == '_' || absl::ascii_isalpha(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

class Lexer {
 public:
  explicit Lexer(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<CToken>> Run() {
    LATHE_RETURN_IF_ERROR(Characters());
    while (at_ < text_.size()) LATHE_RETURN_IF_ERROR(Next());
    EndDirective();
    return std::move(tokens_);
  }

 private:
  absl::Status Wrong(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat("line ", line_, ": ", what));
  }

  // What means something before there are tokens.
  absl::Status Characters() {
    for (size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\n') {
        ++line_;
      } else if (!absl::ascii_isprint(static_cast<unsigned char>(c))) {
        return Wrong(absl::StrFormat("the character %02x", static_cast<unsigned char>(c)));
      }
      if (Has("??", i)) return Wrong("a trigraph, or nearly one");
      if (c == '\\' && Has("\n", i + 1)) return Wrong("a backslash that ends a line");
    }
    line_ = 1;
    return absl::OkStatus();
  }

  bool Has(absl::string_view what, size_t at) const {
    return text_.substr(at, what.size()) == what;
  }

  absl::Status Next() {
    const char c = text_[at_];
    if (c == '\n') {
      EndDirective();
      begins_ = true;
      ++line_;
      ++at_;
      return absl::OkStatus();
    }
    if (c == ' ') {
      ++at_;
      return absl::OkStatus();
    }
    if (Has("//", at_)) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return absl::OkStatus();
    }
    if (Has("/*", at_)) return Comment();
    const bool begins = begins_;
    begins_ = false;
    if (c == '#' && begins) {
      in_directive_ = true;
      return Take(CTokenKind::kDirective, 1);
    }
    if (c == '"') return Quoted(CTokenKind::kText);
    if (c == '\'') return Quoted(CTokenKind::kCharacter);
    size_t end = at_ + 1;
    if (IsLetter(c)) {
      while (end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]))) ++end;
      return Take(CTokenKind::kName, end - at_);
    }
    if (IsDigit(c) || (c == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]))) {
      while (end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]) ||
                                    text_[end] == '.' || IsExponent(end))) {
        ++end;
      }
      return Take(CTokenKind::kNumber, end - at_);
    }
    return Take(CTokenKind::kSign, 1);
  }

  // The sign of one.
  bool IsExponent(size_t at) const {
    const char before = absl::ascii_tolower(static_cast<unsigned char>(text_[at - 1]));
    return (text_[at] == '+' || text_[at] == '-') && (before == 'e' || before == 'p') &&
           !Has("0x", at_);
  }

  absl::Status Comment() {
    const size_t end = text_.find("*/", at_ + 2);
    if (end == absl::string_view::npos) return Wrong("a comment without an end");
    const absl::string_view inside = text_.substr(at_ + 2, end - at_ - 2);
    if (inside.find("/*") != absl::string_view::npos) return Wrong("a comment within a comment");
    for (char c : inside) line_ += c == '\n' ? 1 : 0;
    at_ = end + 2;
    return absl::OkStatus();
  }

  absl::Status Quoted(CTokenKind kind) {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != text_[at_] && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    if (end >= text_.size() || text_[end] == '\n') return Wrong("a literal without an end");
    return Take(kind, end + 1 - at_);
  }

  absl::Status Take(CTokenKind kind, size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length)), line_});
    at_ += length;
    return absl::OkStatus();
  }

  void EndDirective() {
    if (in_directive_) tokens_.push_back({CTokenKind::kEndOfDirective, "", line_});
    in_directive_ = false;
  }

  const absl::string_view text_;
  std::vector<CToken> tokens_;
  size_t at_ = 0;
  int line_ = 1;
  bool begins_ = true;
  bool in_directive_ = false;
};

}  // namespace

absl::StatusOr<std::vector<CToken>> CTokens(absl::string_view text) { return Lexer(text).Run(); }

}  // namespace lathe::hostile
