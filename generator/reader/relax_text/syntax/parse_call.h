// Parses the arguments of a call or a class: (a, *b, c=1, **d).
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

struct Arguments {
  Gathered<ast::ExprRef> positional;
  Gathered<ast::Keyword> keywords;
};

// Parses from '(' to ')'; both are consumed. Returns false after an error.
bool ParseArguments(Parser& p, Arguments& arguments);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_
