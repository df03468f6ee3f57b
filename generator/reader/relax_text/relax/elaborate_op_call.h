// Elaborates calls of operators by the schema of the operator: arguments are bound to parameters,
// and ops/complete_call.h adds the omitted ones.
//
//   R.nn.conv2d(x, w, strides=2)   ->   Call{relax.nn.conv2d, x, w, strides=[2, 2], padding=...}
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/ops/sugar.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns the call of `op`. `call` is the node of `e`, or the equivalent call for a method such as
// x.astype(t).
absl::StatusOr<ir::Rhs> ElaborateOpCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                        const ir::Op& op);
// Returns the expansion of a call of `sugar` into calls of operators. All calls but the last are
// bound to fresh variables.
absl::StatusOr<ir::Rhs> ElaborateSugarCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                           const ops::Sugar& sugar);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_
