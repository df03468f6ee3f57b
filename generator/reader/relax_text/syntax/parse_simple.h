// Statements that fit on a line: assignments, expressions, return, assert, import and the like.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// a; b; c and the end of the line.
bool ParseSimpleLine(Parser& p, Gathered<ast::StmtRef>& statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_SIMPLE_H_
