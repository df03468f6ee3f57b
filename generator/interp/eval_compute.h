// Operators that are loop nests: the nest is made for the very shapes at hand, and run.
#ifndef LATHE_INTERP_EVAL_COMPUTE_H_
#define LATHE_INTERP_EVAL_COMPUTE_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalCompute(const OpCall& call);

// What inference says of the result, given what the arguments really are.
absl::StatusOr<ir::StructInfoRef> InferResult(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_COMPUTE_H_
