// (a, *b, c=1, **d): the arguments of a call or a class.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

struct Arguments {
  Gathered<ast::ExprRef> positional;
  Gathered<ast::Keyword> keywords;
};

// From '(' to ')', both taken.
bool ParseArguments(Parser& p, Arguments& arguments);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_CALL_H_
