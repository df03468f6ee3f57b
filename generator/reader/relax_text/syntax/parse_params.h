// Parses parameters: (a, b: T = 1, /, *c, d, **e) of a function, those of a lambda, and type
// parameters [M, N: int].
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// The parameters of a function end at ')' and may have annotations. Those of a lambda end at ':'
// and have no annotations.
enum class ParamsOf { kFunction, kLambda };

// Parses the parameters up to the token that ends them, which is not consumed. Returns false after
// an error.
bool ParseParams(Parser& p, ParamsOf of, Gathered<ast::Param>& params);

// Parses type parameters [M, N: int, *Ts], if the current token is '['. Returns false after an
// error.
bool ParseTypeParams(Parser& p, Gathered<ast::TypeParam>& params);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_
