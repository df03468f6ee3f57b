// Splits C text into tokens, sharing no code with the compiler's printers.
#ifndef LATHE_TESTS_HOSTILE_C_TOKENS_H_
#define LATHE_TESTS_HOSTILE_C_TOKENS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::hostile {

enum class CTokenKind { kName, kNumber, kText, kCharacter, kSign, kDirective, kEndOfDirective };

struct CToken {
  CTokenKind kind;
  std::string text;
  int line = 0;
};

// The tokens of `text`, comments left out. Fails where a compiler would see something else than the
// text shows: trigraphs, lines that a backslash continues, comments within comments, literals and
// comments without an end, and characters that are not printable ASCII.
absl::StatusOr<std::vector<CToken>> CTokens(absl::string_view text);

}  // namespace lathe::hostile

#endif  // LATHE_TESTS_HOSTILE_C_TOKENS_H_
