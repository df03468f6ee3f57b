// Names, literals and brackets, and what hangs on them: a.b, a(b), a[b].
#ifndef LATHE_READER_RELAX_TEXT_PARSE_PRIMARY_H_
#define LATHE_READER_RELAX_TEXT_PARSE_PRIMARY_H_

#include "generator/reader/relax_text/ast.h"
#include "generator/reader/relax_text/parser.h"

namespace lathe::relax_text {

ast::ExprRef ParsePrimary(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_PARSE_PRIMARY_H_
