// Parses `import a.b as c` and `from a import b as c`. The nodes hold module, name and alias as
// written; Namespaces::Import derives the names that they bind.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_IMPORT_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_IMPORT_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

ast::StmtRef ParseImport(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_IMPORT_H_
