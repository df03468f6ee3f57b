// Operators that a function from outside does: --extern libraries may have it.
#ifndef LATHE_INTERP_EVAL_EXTERNAL_OP_H_
#define LATHE_INTERP_EVAL_EXTERNAL_OP_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

// For operators that ops::ExternalFunction has a name for.
absl::StatusOr<Value> EvalExternalOp(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_EXTERNAL_OP_H_
