// Parses names, literals and expressions in brackets, with their suffixes: a.b, a(b), a[b].
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PRIMARY_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PRIMARY_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::ExprRef ParsePrimary(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PRIMARY_H_
