// Unrolls loops with a known trip count.
#ifndef LATHE_READER_ONNX_UNROLL_LOOP_H_
#define LATHE_READER_ONNX_UNROLL_LOOP_H_

#include <vector>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_loop.h"

namespace lathe::onnx {

// The limit of the iterations of an unrolled loop.
inline constexpr int64_t kMaxUnrolledIterations = 4096;

// Stacks the results of the iterations along a new axis, in reverse order if `backwards`.
absl::StatusOr<Operand> Stack(NodeCall& n, std::vector<Term>& items, int64_t axis, bool backwards);

// Returns the scan outputs of a loop without iterations: as the body declares them, or as derived
// from `inputs`, which have the types of the inputs of an iteration. The first `states` results of
// the body are not scan outputs.
absl::StatusOr<std::vector<ScanOutput>> ScanOutputsWithoutIterations(
    NodeCall& n, const Graph& body, const std::vector<Term>& inputs, size_t states);

// Returns an empty tensor whose new `axis` has length 0.
Operand EmptyScanOutput(NodeCall& n, const ScanOutput& element, int axis);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNROLL_LOOP_H_
