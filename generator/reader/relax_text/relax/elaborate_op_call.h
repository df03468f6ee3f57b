// Calls of operators, all by the schema of the operator: what is written becomes its parameters,
// and the rest is completed by the table (ops/complete_call.h).
//
//   R.nn.conv2d(x, w, strides=2)   ->   Call{relax.nn.conv2d, x, w, strides=[2, 2], padding=...}
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/ops/sugar.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// `call` is the call to read: that of `e`, or what it stands for.
absl::StatusOr<ir::Rhs> ElaborateOpCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                        const ir::Op& op);
absl::StatusOr<ir::Rhs> ElaborateSugarCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                           const ops::Sugar& sugar);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_OP_CALL_H_
