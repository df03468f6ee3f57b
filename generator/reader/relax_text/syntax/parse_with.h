// Parses with statements: with a, b as c: ... and with (a, b as c): ...
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_WITH_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_WITH_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::StmtRef ParseWith(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_WITH_H_
