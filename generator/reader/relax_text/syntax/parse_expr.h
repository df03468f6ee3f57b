// Expressions, from commas down to powers; parse_primary.h has what binds tighter.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// a if b else c, lambda x: x, and all that binds tighter.
ast::ExprRef ParseExpression(Parser& p);
// Also (x := e), which is kept as unsupported.
ast::ExprRef ParseNamedExpression(Parser& p);
// Also *e, as stands in a display or an index.
ast::ExprRef ParseStarNamedExpression(Parser& p);
// Several of them, with commas: e, *e is a Tuple.
ast::ExprRef ParseStarExpressions(Parser& p);
// ParseStarExpressions or yield ..., as stands right of an assignment.
ast::ExprRef ParseAssigned(Parser& p);
// yield e, yield from e.
ast::ExprRef ParseYield(Parser& p);
// a or b: no conditional, no lambda.
ast::ExprRef ParseDisjunction(Parser& p);
// a | b and what binds tighter: no comparison, so that it stops at `in`.
ast::ExprRef ParseArithmetic(Parser& p);

// Whether such a token may start an expression.
bool StartsExpression(TokenKind kind);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_
