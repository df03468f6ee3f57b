// Evaluates operators that are implemented by external functions, which --extern libraries may
// supply.
#ifndef LATHE_INTERP_EVAL_EXTERNAL_OP_H_
#define LATHE_INTERP_EVAL_EXTERNAL_OP_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

// Requires that ops::ExternalFunction names a function for the operator.
absl::StatusOr<Value> EvalExternalOp(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_EXTERNAL_OP_H_
