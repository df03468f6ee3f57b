// Statements with blocks of their own.
#ifndef LATHE_READER_RELAX_TEXT_PARSE_COMPOUND_H_
#define LATHE_READER_RELAX_TEXT_PARSE_COMPOUND_H_

#include "generator/reader/relax_text/ast.h"
#include "generator/reader/relax_text/parser.h"

namespace lathe::relax_text {

// Whether such a statement starts here.
bool StartsCompound(const Parser& p);

// Reads one into `statements`.
bool ParseCompound(Parser& p, Gathered<ast::StmtRef>& statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_PARSE_COMPOUND_H_
