// Into how many parts the depth of few long sums is cut, so that more of a GPU is busy, although
// another launch has to add up what the parts came to.
#ifndef LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_
#define LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// So many, of so many steps; the last one has what is left.
struct DepthParts {
  int64_t count = 1;
  int64_t each = 0;
};

// Sums that may be cut, on all GPUs of a program.
struct LongSums {
  double count = 0;
  int bytes = 0;  // of each
  int64_t depth = 0;
  int64_t shortest = 0;  // steps that a part has at least
  double cycles = 0;     // of the whole, on all GPUs together
};

// The parts that take the fewest cycles, of which `cycles` counts their own on all GPUs; nothing
// where the whole is about as fast.
std::optional<DepthParts> ChooseParts(const LongSums& sums, const GpuChoice& gpus,
                                      absl::FunctionRef<double(const DepthParts&)> cycles);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_
