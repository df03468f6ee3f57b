// Parameters: (a, b: T = 1, /, *c, d, **e) of a function, those of a lambda, and [M, N: int].
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// A function's end at ')' and may have annotations; a lambda's end at ':' and have none.
enum class ParamsOf { kFunction, kLambda };

// The parameters up to the token that ends them, which is left.
bool ParseParams(Parser& p, ParamsOf of, Gathered<ast::Param>& params);

// [M, N: int, *Ts], if there is a '['.
bool ParseTypeParams(Parser& p, Gathered<ast::TypeParam>& params);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_PARAMS_H_
