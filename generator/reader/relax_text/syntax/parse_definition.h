// Parses functions and classes with their decorators.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DEFINITION_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DEFINITION_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parses a definition from its first '@' on: @a @b(c) def f(...): ... or class C(...): ... Returns
// null after an error.
ast::StmtRef ParseDefinition(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DEFINITION_H_
