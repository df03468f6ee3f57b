// Elaborates calls of operators, module functions, variables and external functions, and of the
// constructors of literals in R (R.const, ...).
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"

namespace lathe::relax_text {

// Returns the value of `call`, which is the node of `e`. Arguments that are not leaves are bound to
// fresh variables first. Calls that denote scalars, such as T.max(n, 1), are returned as
// Term::Scalar.
absl::StatusOr<Term> ElaborateCall(Frame& frame, const ast::Expr& e, const ast::Call& call);

// Returns the name after `R.` of the function that the call `e` names, or the bare name in the
// oldest dialect: add(x, y). Returns nullopt if `e` is not a call of a function of R.
std::optional<std::string> SurfaceName(const Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_
