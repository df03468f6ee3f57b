// Parses a TVMScript file into its syntax tree.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/syntax_tree.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// Parses `file`, which must outlive `tree`. All syntax errors are added to `diags`. If there are
// any, the returned tree lacks the statements that contain them.
const ast::Module* Parse(SyntaxTree& tree, const SourceFile& file, Diagnostics& diags);

// Parses the expression in the string literal `literal`, such as "n * 2" in R.Tensor(("n * 2",)).
// `literal` must hold an ast::Str. Spans are positions inside the literal if it has no escapes, and
// the whole literal otherwise. Returns null after an error.
const ast::Expr* ParseQuoted(SyntaxTree& tree, const ast::Expr& literal, Diagnostics& diags);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_
