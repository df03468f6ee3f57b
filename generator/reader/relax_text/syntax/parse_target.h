// Parses and checks the targets of assignments: names, attributes, subscripts, and tuples and lists
// of them.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Returns true if `e` can be assigned to; otherwise reports the invalid part. `verb` is the
// operation in the message: "assign to", "delete".
bool CheckTarget(Parser& p, const ast::Expr& e, absl::string_view verb = "assign to");

// Parses the target of a for loop: a, *b in `for a, *b in c`. Returns null after an error.
ast::ExprRef ParseLoopTarget(Parser& p);
// Parses the target after `as` in a with statement. Returns null after an error.
ast::ExprRef ParseSingleTarget(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_TARGET_H_
