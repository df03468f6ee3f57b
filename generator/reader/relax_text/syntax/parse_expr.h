// Parses expressions from comma lists down to powers. parse_primary.h parses the operators of
// higher precedence. All functions return null after an error.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parses a conditional, a lambda, or an expression of higher precedence.
ast::ExprRef ParseExpression(Parser& p);
// Like ParseExpression; also parses (x := e), as an unsupported expression.
ast::ExprRef ParseNamedExpression(Parser& p);
// Like ParseNamedExpression; also parses *e, as allowed in a display or an index.
ast::ExprRef ParseStarNamedExpression(Parser& p);
// Parses a comma list of expressions and starred expressions; := is not allowed. A list with a
// comma is a Tuple: e, *e.
ast::ExprRef ParseStarExpressions(Parser& p);
// Parses the right-hand side of an assignment: ParseStarExpressions or ParseYield.
ast::ExprRef ParseAssigned(Parser& p);
// Parses yield e or yield from e.
ast::ExprRef ParseYield(Parser& p);
// Parses an expression without a conditional or a lambda at the top level: a or b.
ast::ExprRef ParseDisjunction(Parser& p);
// Parses an expression without comparisons at the top level: a | b. It stops before `in`.
ast::ExprRef ParseArithmetic(Parser& p);

// Returns true if a token of this kind may start an expression.
bool StartsExpression(TokenKind kind);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_EXPR_H_
