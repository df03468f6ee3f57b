// Is it text at all? The lexer relies on what is checked here: UTF-8 without NULs.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_

#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"

namespace lathe::relax_text {

// Reports the first byte that is not UTF-8 text, and stops the reading there: the rest of such a
// file is noise. Returns whether all is well.
bool CheckEncoding(const LexInput& input, SyntaxErrors& errors);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_ENCODING_H_
