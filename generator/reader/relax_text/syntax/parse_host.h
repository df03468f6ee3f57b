// Statements of Python that no TVMScript program has, but that stand around one in a file: read
// as far as it takes to go past them, and kept by name.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::StmtRef ParseTry(Parser& p);

// `match` is a keyword only at the start of a line that ends with a colon and has an indented
// block after it. Patterns are not looked into.
bool StartsMatch(const Parser& p);
ast::StmtRef ParseMatch(Parser& p);

// type A = B, where `type` is a keyword only before a name.
bool StartsTypeAlias(const Parser& p);
ast::StmtRef ParseTypeAlias(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_HOST_H_
