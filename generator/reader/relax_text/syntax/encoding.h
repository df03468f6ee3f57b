// Checks that a file is UTF-8 text without NUL bytes, which the lexer relies on.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_

#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"

namespace lathe::relax_text {

// Returns true if input.text is valid. Otherwise reports the first invalid byte, stops `errors`,
// and returns false.
bool CheckEncoding(const LexInput& input, SyntaxErrors& errors);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_
