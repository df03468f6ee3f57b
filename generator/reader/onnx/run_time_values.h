// What inputs of the model say when it runs, held against what it was compiled for: a clash ends
// the run before anything is computed.
#ifndef LATHE_READER_ONNX_RUN_TIME_VALUES_H_
#define LATHE_READER_ONNX_RUN_TIME_VALUES_H_

#include <functional>
#include <string>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Sizes and places are far below this: what inputs say is brought within it before it is computed
// with, so that no sum of them wraps.
inline constexpr int64_t kFarthest = int64_t{1} << 40;

// Element `k` of the list of integers that is input `input` of a kernel, within +-kFarthest.
PrimRef Entry(Te& te, int input, int64_t k);
// The one integer of input `input`, within +-kFarthest.
PrimRef OnlyEntry(Te& te, int input);
// The first element as it is.
PrimRef FirstOf(Te& te, int input);

// That `a` is `b`; `what` says what they are sizes of.
void NeedSame(NodeCall& n, Te& te, PrimRef a, PrimRef b, absl::string_view what);
// Dimension by dimension.
void NeedSameDims(NodeCall& n, Te& te, const Dims& a, const Dims& b, absl::string_view what);
// That `from` broadcasts to `to`, whose rank is no less.
void NeedBroadcastsTo(NodeCall& n, Te& te, const Dims& from, const Dims& to,
                      absl::string_view what);
// That the list in `input` holds `dims`.
void NeedEntries(NodeCall& n, Te& te, int input, const Dims& dims, absl::string_view what);
// 1 where axis `a` of `rank` is among the axes in the list `input` of `count`, else 0.
PrimRef IsNamed(Te& te, int input, int64_t count, int64_t a, int64_t rank);
// That each of them is an axis of a tensor of `rank`.
void NeedAxes(NodeCall& n, Te& te, int input, int64_t count, int64_t rank);

// `x` itself, once what `needs` asks of the tensors in `said`, inputs 1, 2, ... of the kernel,
// holds.
Operand Checked(NodeCall& n, const Operand& x, const Operands& said,
                const std::function<void(Te&)>& needs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_VALUES_H_
