// One or several adjacent string literals, which are one value: "a" 'b' is "ab".
#ifndef LATHE_READER_RELAX_TEXT_PARSE_STRING_H_
#define LATHE_READER_RELAX_TEXT_PARSE_STRING_H_

#include "generator/reader/relax_text/ast.h"
#include "generator/reader/relax_text/parser.h"

namespace lathe::relax_text {

ast::ExprRef ParseString(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_PARSE_STRING_H_
