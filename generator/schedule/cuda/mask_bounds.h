// Computes the range of keys that a causal mask or a window leaves for each query.
#ifndef LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_
#define LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Returns a range of keys that contains all whose `score` is not masked. A masked score is a
// constant unless key <= query + 5, or a similar condition of the variables `query` and `key`,
// holds. `keys` is the number of keys. Conditions of other forms are ignored, as are those whose
// range moves backwards for later queries. Returns nullopt if no condition is left.
std::optional<ir::MaskBounds> MaskBoundsOf(ir::Context& context, ir::PrimRef score,
                                           ir::PrimRef query, ir::PrimRef key, ir::PrimRef keys);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_
