// Splits the depth of few long sums into parts, to use more of a GPU. A second launch adds the
// partial sums.
#ifndef LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_
#define LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// The number of parts and their length in steps; the last part has the remainder.
struct DepthParts {
  int64_t count = 1;
  int64_t each = 0;
};

// The sums to split.
struct LongSums {
  double count = 0;      // the number of sums
  int bytes = 0;         // of each sum
  int64_t depth = 0;     // the number of steps of each sum
  int64_t shortest = 0;  // the minimum number of steps in a part
  double cycles = 0;     // of the unsplit sums, in total on all GPUs
};

// Returns the parts with the fewest cycles, computed by `cycles` for all GPUs. Returns nullopt if
// the unsplit sums are about as fast.
std::optional<DepthParts> ChooseParts(const LongSums& sums, const GpuChoice& gpus,
                                      absl::FunctionRef<double(const DepthParts&)> cycles);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_DEPTH_PARTS_H_
