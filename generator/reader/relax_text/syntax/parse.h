// From the bytes of a TVMScript file to its syntax tree.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/syntax_tree.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// Reads the whole of `file`, which must outlive `tree`. All syntax errors are listed in `diags`;
// the tree then lacks the statements that have them, so that it is no use but to look at.
const ast::Module* Parse(SyntaxTree& tree, const SourceFile& file, Diagnostics& diags);

// Reads the expression in a string literal, such as "n * 2" in R.Tensor(("n * 2",)). `literal`
// must hold an ast::Str. Spans point into the literal where its text has no escapes, and at all
// of it otherwise. Null after an error.
const ast::Expr* ParseQuoted(SyntaxTree& tree, const ast::Expr& literal, Diagnostics& diags);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_H_
