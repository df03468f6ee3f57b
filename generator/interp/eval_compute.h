// Evaluates operators with loop nests: generates the nest for the concrete shapes of the arguments
// and runs it.
#ifndef LATHE_INTERP_EVAL_COMPUTE_H_
#define LATHE_INTERP_EVAL_COMPUTE_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalCompute(const OpCall& call);

// Infers the structural information of the result from the concrete arguments.
absl::StatusOr<ir::StructInfoRef> InferResult(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_COMPUTE_H_
