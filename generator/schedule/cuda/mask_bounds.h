// Computes the range of keys that a causal mask or a window leaves for each query.
#ifndef LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_
#define LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Returns the range of keys whose `score` is not masked. Matches a score that is a constant unless
// key <= query + 5 or a similar condition of the variables `query` and `key` holds. `keys` is the
// number of keys. Returns nullopt for other forms, or if the range could move backwards for later
// queries.
std::optional<ir::MaskBounds> MaskBoundsOf(ir::Context& context, ir::PrimRef score,
                                           ir::PrimRef query, ir::PrimRef key, ir::PrimRef keys);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MASK_BOUNDS_H_
