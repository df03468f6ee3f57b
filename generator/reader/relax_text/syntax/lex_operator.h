// Lexes operators and brackets by the longest match.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_OPERATOR_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_OPERATOR_H_

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

struct OperatorMatch {
  TokenKind kind = TokenKind::kError;
  int length = 0;  // 0: no operator starts here
};

// Returns the longest operator that is a prefix of `text`, the next three bytes of the input.
OperatorMatch MatchOperator(absl::string_view text);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_OPERATOR_H_
