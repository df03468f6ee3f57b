// Long lines of generated C++, cut where a person would: calls and parameter lists are as long as a
// program makes them.
#ifndef LATHE_EMIT_TEXT_WRAP_LINES_H_
#define LATHE_EMIT_TEXT_WRAP_LINES_H_

#include <string>

namespace lathe::emit {

// Lines of the preprocessor, with text in quotes, and of comments stay as they are.
void WrapLines(std::string& text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_WRAP_LINES_H_
