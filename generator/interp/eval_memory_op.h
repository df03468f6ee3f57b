// Evaluates operators that allocate memory or place tensors in it: R.memory.*, R.vm.alloc_*,
// R.builtin.alloc_tensor.
#ifndef LATHE_INTERP_EVAL_MEMORY_OP_H_
#define LATHE_INTERP_EVAL_MEMORY_OP_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalAllocTensor(const OpCall& call);      // (shape, dtype, ...)
absl::StatusOr<Value> EvalAllocStorage(const OpCall& call);     // (size, ...), a dtype among them
absl::StatusOr<Value> EvalAllocTensorFrom(const OpCall& call);  // (storage, offset, shape, dtype)
absl::StatusOr<Value> EvalView(const OpCall& call);  // (tensor, shape, dtype, byte offset)
absl::StatusOr<Value> EvalEnsureZeroOffset(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_MEMORY_OP_H_
