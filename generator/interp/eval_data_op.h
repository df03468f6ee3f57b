// Evaluates operators whose result size depends on data: unique, nonzero, dynamic_strided_slice.
#ifndef LATHE_INTERP_EVAL_DATA_OP_H_
#define LATHE_INTERP_EVAL_DATA_OP_H_

#include "absl/status/statusor.h"
#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalDynamicStridedSlice(const OpCall& call);
absl::StatusOr<Value> EvalNonzero(const OpCall& call);
absl::StatusOr<Value> EvalUnique(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_DATA_OP_H_
