// Calls: of operators, of functions of the module, of variables, of external functions, and of the
// names of R that only build a literal.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"

namespace lathe::relax_text {

absl::StatusOr<Term> ElaborateCall(Frame& frame, const ast::Expr& e, const ast::Call& call);

// R.name for the callee of `e`: what is below R, or the name itself for the bare names of the
// oldest programs, add(x, y). Nothing when it is no such call.
std::optional<std::string> SurfaceName(const Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_CALL_H_
