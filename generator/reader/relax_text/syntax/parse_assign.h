// Assignments of all kinds, and expressions that stand alone.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// e    a = b = e    a: T    a: T = e    a += e
ast::StmtRef ParseExprOrAssignment(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_
