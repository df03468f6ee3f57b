// What may stand left of an assignment: names, attributes, subscripts, and tuples of them.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Reports what in `e` cannot be assigned to; `verb` is what is tried: "assign to", "delete".
bool CheckTarget(Parser& p, const ast::Expr& e, absl::string_view verb = "assign to");

// a, *b in `for a, *b in c`.
ast::ExprRef ParseLoopTarget(Parser& p);
// The one after `as` in a with statement.
ast::ExprRef ParseSingleTarget(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_
