// Evaluates calls in destination-passing style: R.call_tir and its variants, R.call_dps_packed.
#ifndef LATHE_INTERP_EVAL_CALL_TIR_H_
#define LATHE_INTERP_EVAL_CALL_TIR_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

// Allocates the outputs of `call`, calls its PrimFunc, and returns the output, or a tuple of
// several. R.call_tir_inplace writes into arguments instead. Fails after reporting an error of the
// run: the arguments do not match the parameters, or memory is exhausted.
absl::StatusOr<Value> EvalCallTir(const OpCall& call);
// Evaluates R.call_dps_packed in the same way, by an external function.
absl::StatusOr<Value> EvalCallDpsPacked(const OpCall& call);

// Returns the device of the tensors among `values`; null when none has a device.
ir::VDeviceRef DeviceOf(absl::Span<const Value> values);

// Allocates a tensor of the shape and dtype of `info`, on its device or, if it has none, on
// `device`. Fails after reporting an error if `info` is not a tensor of known shape and dtype.
absl::StatusOr<Value> NewOutput(const OpCall& call, ir::StructInfoRef info, ir::VDeviceRef device);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_CALL_TIR_H_
