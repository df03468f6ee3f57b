// Parses compound statements, which have blocks.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Returns true if a compound statement starts at the current token.
bool StartsCompound(const Parser& p);

// Parses one compound statement into `statements`. Returns false after an error.
bool ParseCompound(Parser& p, Gathered<ast::StmtRef>& statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_COMPOUND_H_
