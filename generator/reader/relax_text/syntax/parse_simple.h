// Parses simple statements: assignments, expressions, return, assert, import and other statements
// without blocks.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parses a; b; c and the end of the line. Returns false after an error.
bool ParseSimpleLine(Parser& p, Gathered<ast::StmtRef>& statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_
