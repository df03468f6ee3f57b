// Statements with blocks of their own.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Whether such a statement starts here.
bool StartsCompound(const Parser& p);

// Reads one into `statements`.
bool ParseCompound(Parser& p, Gathered<ast::StmtRef>& statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_
