// Elaborates the functions of R that are not operators: R.const, R.tuple, R.shape, R.prim_value,
// R.str, R.dtype, R.TupleGetItem, R.ExternFunc, R.call_packed, R.match_cast and R.match_shape.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns true if R.`name` is one of these functions.
bool IsLiteralCall(absl::string_view name);

// Returns the value of `e`, a call of R.`name`. `name` must satisfy IsLiteralCall.
absl::StatusOr<ir::Rhs> ElaborateLiteralCall(Frame& frame, const ast::Expr& e,
                                             absl::string_view name);

// Returns the external function that the call `e` describes: R.ExternFunc("f") or R.ExternFunc("f",
// R.Callable(...)).
absl::StatusOr<ir::ExternFunc> ElaborateExternFunc(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_
