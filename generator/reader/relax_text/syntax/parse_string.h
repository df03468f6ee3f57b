// Parses one or more adjacent string literals into one value: "a" 'b' is "ab".
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_STRING_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_STRING_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::ExprRef ParseString(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_STRING_H_
