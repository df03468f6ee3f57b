// Parses Python statements that TVMScript does not allow but that may occur around a program. They
// are parsed only to find their end, and become UnsupportedStmt nodes.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::StmtRef ParseTry(Parser& p);

// Returns true if a match statement starts at the current token. `match` is a keyword only at the
// start of a line that ends with a colon and is followed by an indented block. Patterns are not
// parsed.
bool StartsMatch(const Parser& p);
ast::StmtRef ParseMatch(Parser& p);

// Returns true if a type alias starts at the current token: type A = B. `type` is a keyword only
// before a name.
bool StartsTypeAlias(const Parser& p);
ast::StmtRef ParseTypeAlias(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_
