// Wraps long lines of generated C and C++, because calls and parameter lists may have any length.
#ifndef LATHE_EMIT_TEXT_WRAP_LINES_H_
#define LATHE_EMIT_TEXT_WRAP_LINES_H_

#include <string>

namespace lathe::emit {

// Breaks the lines of `text` that have more than 100 columns, after commas or before operators if
// possible, and comments at blanks. Preprocessor lines, lines of longer comments and lines with
// string literals stay unchanged.
void WrapLines(std::string& text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_WRAP_LINES_H_
