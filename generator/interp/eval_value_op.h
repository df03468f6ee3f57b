// Evaluates operators on values of all kinds: shapes, devices, closures, null, assertions,
// printing.
#ifndef LATHE_INTERP_EVAL_VALUE_OP_H_
#define LATHE_INTERP_EVAL_VALUE_OP_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalAssert(const OpCall& call);
absl::StatusOr<Value> EvalHintOnDevice(const OpCall& call);
absl::StatusOr<Value> EvalInspect(const OpCall& call);  // R.inspect.*
absl::StatusOr<Value> EvalMakeClosure(const OpCall& call);
absl::StatusOr<Value> EvalNoOp(const OpCall& call);  // no effect in the interpreter
absl::StatusOr<Value> EvalNull(const OpCall& call);
absl::StatusOr<Value> EvalPrint(const OpCall& call);
absl::StatusOr<Value> EvalFirstArg(const OpCall& call);  // its first argument
absl::StatusOr<Value> EvalShapeOf(const OpCall& call);
absl::StatusOr<Value> EvalShapeToTensor(const OpCall& call);
absl::StatusOr<Value> EvalSize(const OpCall& call);
absl::StatusOr<Value> EvalTensorToShape(const OpCall& call);
absl::StatusOr<Value> EvalToVDevice(const OpCall& call);

// Return argument `n` of an operator. Fail when the argument is missing or has another kind.
absl::StatusOr<const Tensor*> TensorArg(const OpCall& call, size_t n);
absl::StatusOr<const std::vector<int64_t>*> ShapeArg(const OpCall& call, size_t n);
absl::StatusOr<int64_t> IntArg(const OpCall& call, size_t n);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_VALUE_OP_H_
