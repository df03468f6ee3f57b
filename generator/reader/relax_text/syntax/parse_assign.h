// Parses assignments of all kinds and expression statements.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parses one of: e, a = b = e, a: T, a: T = e, a += e. Returns null after an error.
ast::StmtRef ParseExprOrAssignment(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_ASSIGN_H_
