#include "generator/reader/relax_text/syntax/token.h"

#include <algorithm>
#include <iterator>

namespace lathe::relax_text {
namespace {

constexpr absl::string_view kDescriptions[] = {
#define TOKEN(kind, description) description,
#define OPERATOR(kind, spelling) "'" spelling "'",
#define KEYWORD(kind, spelling) "'" spelling "'",
#include "generator/reader/relax_text/syntax/token.def"
};

struct Keyword {
  absl::string_view spelling;
  TokenKind kind;
};
constexpr Keyword kKeywords[] = {
#define KEYWORD(kind, spelling) {spelling, TokenKind::kind},
#include "generator/reader/relax_text/syntax/token.def"
};
constexpr size_t kLongestKeyword = 8;

}  // namespace

absl::string_view Describe(TokenKind kind) { return kDescriptions[static_cast<int>(kind)]; }

bool IsKeyword(TokenKind kind) { return kind >= kKeywords[0].kind; }

TokenKind KeywordOrName(absl::string_view name) {
  if (name.size() < 2 || name.size() > kLongestKeyword) return TokenKind::kName;
  const Keyword* found =
      std::lower_bound(std::begin(kKeywords), std::end(kKeywords), name,
                       [](const Keyword& k, absl::string_view n) { return k.spelling < n; });
  return found != std::end(kKeywords) && found->spelling == name ? found->kind : TokenKind::kName;
}

bool IsOpening(TokenKind kind) {
  return kind == TokenKind::kLeftParen || kind == TokenKind::kLeftSquare ||
         kind == TokenKind::kLeftBrace;
}

bool IsClosing(TokenKind kind) {
  return kind == TokenKind::kRightParen || kind == TokenKind::kRightSquare ||
         kind == TokenKind::kRightBrace;
}

TokenKind ClosingOf(TokenKind opening) {
  if (opening == TokenKind::kLeftParen) return TokenKind::kRightParen;
  return opening == TokenKind::kLeftSquare ? TokenKind::kRightSquare : TokenKind::kRightBrace;
}

}  // namespace lathe::relax_text
