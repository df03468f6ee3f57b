// Locates the dimensions and elements of a sequence.
#ifndef LATHE_READER_TFLITE_OPS_TIME_STEPS_H_
#define LATHE_READER_TFLITE_OPS_TIME_STEPS_H_

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// x is [steps, batch, width] if `time_major`, else [batch, steps, width]; of rank 2 it is one step.
struct TimeSteps {
  int64_t steps = 1, batch = 1, width = 1;
  int rank = 3;
  bool time_major = false, backwards = false;

  // Returns the indices of element `k` of `step` and `row`. Backwards, step 0 is the last.
  Indices At(ScalarMath& m, PrimRef step, PrimRef row, PrimRef k) const {
    if (rank == 2) return {row, k};
    if (backwards) step = m.Sub(m.Int(steps - 1), step);
    return time_major ? Indices{step, row, k} : Indices{row, step, k};
  }
  std::vector<int64_t> Shape(int64_t last) const {
    if (rank == 2) return {batch, last};
    return time_major ? std::vector<int64_t>{steps, batch, last}
                      : std::vector<int64_t>{batch, steps, last};
  }
};

// Returns the sizes of input `input`, which go forwards. Reports an error unless the input has 2 or
// 3 dimensions.
absl::StatusOr<TimeSteps> TimeStepsOf(OpCall& c, int input, bool time_major);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_TIME_STEPS_H_
