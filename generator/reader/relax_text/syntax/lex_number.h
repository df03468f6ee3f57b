// Lexes Python numbers: 42, 1_000, 0xff, 0o17, 0b101, 1.5, .5, 1e-05, 3j.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_NUMBER_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_NUMBER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast_expr.h"
#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

// Returns the number token at `begin`, which is a digit or a point before a digit. A malformed
// number is diagnosed and returned as one kError token.
Token LexNumber(const LexInput& input, uint32_t begin, SyntaxErrors& errors);

// Return the value of a kInt or kFloat token whose text is `text`. An integer of more than 64 bits
// is returned with fits = false.
ast::Int IntValue(absl::string_view text);
ast::Float FloatValue(absl::string_view text);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_NUMBER_H_
