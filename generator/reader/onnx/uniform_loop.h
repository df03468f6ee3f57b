// Emits a loop with a known trip count as a run-time loop if every iteration has the same shapes,
// so that the program does not grow with the trip count.
#ifndef LATHE_READER_ONNX_UNIFORM_LOOP_H_
#define LATHE_READER_ONNX_UNIFORM_LOOP_H_

#include <functional>
#include <optional>
#include <vector>

#include "generator/reader/onnx/run_time_loop.h"

namespace lathe::onnx {

// The trip count from which callers use TryUniformLoop(). They unroll shorter loops.
inline constexpr int64_t kFewestUniformIterations = 17;

struct UniformLoop {
  PrimRef length = nullptr;  // the trip count
  std::vector<Term> states;  // before the first iteration
  // The caller sets the axis and the direction of each scan output. TryUniformLoop() sets the
  // dimensions and the dtype of its element, from the first iteration.
  std::vector<ScanOutput> scan_outputs;
  // Imports one iteration. Fails if the iteration may end the loop.
  std::function<absl::StatusOr<Iteration>(PrimRef iteration, const std::vector<Term>& states)> body;
};

// Emits the loop and returns the final states, then the scan outputs. Returns nullopt if a shape or
// dtype may differ between iterations, if `body` fails, or if nodes are being folded to constants;
// it emits and reports nothing then.
std::optional<std::vector<Term>> TryUniformLoop(NodeCall& n, UniformLoop loop);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIFORM_LOOP_H_
