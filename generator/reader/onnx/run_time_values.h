// Emits run-time checks that inputs match what the model was compiled for. A mismatch ends the run
// before anything is computed.
#ifndef LATHE_READER_ONNX_RUN_TIME_VALUES_H_
#define LATHE_READER_ONNX_RUN_TIME_VALUES_H_

#include <functional>
#include <string>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Values that are read from inputs are clamped to this magnitude, far above any size or index, so
// that arithmetic with them does not overflow.
inline constexpr int64_t kFarthest = int64_t{1} << 40;

// Reads element `k` of the integer list that is input `input` of a kernel, clamped to +-kFarthest.
PrimRef Entry(Te& te, int input, int64_t k);
// Reads the only integer of input `input`, clamped to +-kFarthest.
PrimRef OnlyEntry(Te& te, int input);
// Reads the first element without clamping.
PrimRef FirstOf(Te& te, int input);

// Checks that `a` equals `b`; `what` names the sizes in the message.
void NeedSame(NodeCall& n, Te& te, PrimRef a, PrimRef b, absl::string_view what);
// Checks that the dimensions of `a` and `b` are equal. The caller compares the ranks.
void NeedSameDims(NodeCall& n, Te& te, const Dims& a, const Dims& b, absl::string_view what);
// Checks that `from` broadcasts to `to`, whose rank is at least as large.
void NeedBroadcastsTo(NodeCall& n, Te& te, const Dims& from, const Dims& to,
                      absl::string_view what);
// Checks that the list in `input` equals `dims`.
void NeedEntries(NodeCall& n, Te& te, int input, const Dims& dims, absl::string_view what);
// Returns the condition that axis `a` of `rank` is in the list `input` of `count` axes.
PrimRef IsNamed(Te& te, int input, int64_t count, int64_t a, int64_t rank);
// Checks that each entry of the list `input` of `count` axes is an axis of a tensor of `rank`.
void NeedAxes(NodeCall& n, Te& te, int input, int64_t count, int64_t rank);

// Returns `x` after the checks that `needs` emits. `said` holds the kernel inputs from index 1 on.
Operand Checked(NodeCall& n, const Operand& x, const Operands& said,
                const std::function<void(Te&)>& needs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_VALUES_H_
