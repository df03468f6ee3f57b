// Evaluates calls in destination-passing style: R.call_tir and its variants, R.call_dps_packed.
#ifndef LATHE_INTERP_EVAL_CALL_TIR_H_
#define LATHE_INTERP_EVAL_CALL_TIR_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalCallTir(const OpCall& call);
absl::StatusOr<Value> EvalCallDpsPacked(const OpCall& call);

// Returns the device of the tensors among `values`; null when none has a device.
ir::VDeviceRef DeviceOf(absl::Span<const Value> values);

// Allocates a tensor of the shape and dtype of `info`, which must contain both.
absl::StatusOr<Value> NewOutput(const OpCall& call, ir::StructInfoRef info, ir::VDeviceRef device);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_CALL_TIR_H_
