// with a, b as c: ... and with (a, b as c): ...
#ifndef LATHE_READER_RELAX_TEXT_PARSE_WITH_H_
#define LATHE_READER_RELAX_TEXT_PARSE_WITH_H_

#include "generator/reader/relax_text/ast.h"
#include "generator/reader/relax_text/parser.h"

namespace lathe::relax_text {

ast::StmtRef ParseWith(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_PARSE_WITH_H_
