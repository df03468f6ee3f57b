// Calls in destination-passing style: R.call_tir and its kin, R.call_dps_packed.
#ifndef LATHE_INTERP_EVAL_CALL_TIR_H_
#define LATHE_INTERP_EVAL_CALL_TIR_H_

#include "generator/interp/eval_op.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalCallTir(const OpCall& call);
absl::StatusOr<Value> EvalCallDpsPacked(const OpCall& call);

// The device of the tensors among `values`, or null when none of them is placed.
ir::VDeviceRef DeviceOf(absl::Span<const Value> values);

// A new tensor as `info` describes it, which must say shape and dtype.
absl::StatusOr<Value> NewOutput(const OpCall& call, ir::StructInfoRef info, ir::VDeviceRef device);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_CALL_TIR_H_
