// Emits a loop with a known trip count as a run-time loop if every iteration has the same shapes,
// so that the program does not grow with the trip count.
#ifndef LATHE_READER_ONNX_UNIFORM_LOOP_H_
#define LATHE_READER_ONNX_UNIFORM_LOOP_H_

#include <functional>
#include <optional>
#include <vector>

#include "generator/reader/onnx/run_time_loop.h"

namespace lathe::onnx {

// Loops with fewer iterations are unrolled.
inline constexpr int64_t kFewestUniformIterations = 17;

struct UniformLoop {
  PrimRef length = nullptr;
  std::vector<Term> states;
  // Axis and direction of each scan output; the element is that of the first iteration.
  std::vector<ScanOutput> scan_outputs;
  // Imports one iteration; fails if the iteration may end the loop.
  std::function<absl::StatusOr<Iteration>(PrimRef iteration, const std::vector<Term>& states)> body;
};

// Returns the final states, then the scan outputs. Emits and reports nothing if a shape may differ
// between iterations, or `body` fails.
std::optional<std::vector<Term>> TryUniformLoop(NodeCall& n, UniformLoop loop);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIFORM_LOOP_H_
