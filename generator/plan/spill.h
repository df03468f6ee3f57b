// Assigns tensors to pools, if there are several.
#ifndef LATHE_PLAN_SPILL_H_
#define LATHE_PLAN_SPILL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/ir/program.h"
#include "generator/plan/find_overlaps.h"
#include "generator/plan/plan.h"

namespace lathe::plan {

using PoolOf = absl::flat_hash_map<ir::TensorId, size_t>;

// Ends the messages about pools that are too small.
inline constexpr char kEnlargePool[] = "; enlarge it, or add a slower pool with --pool NAME:SIZE";

// Starts with all tensors in the first pool, except those that the program places elsewhere by
// their memory scope. While a pool has less than `room` for its peak, moves the least used tensor
// that is alive at the peak (the largest of equally used ones) to the next pool. Then moves tensors
// back that fit after all, the most used ones first. Tensors of recursive routines and of their
// callees go to the last pool, which has room for each activation. Tensors without a bound of their
// size are not in the result. With `overlaps`, a peak is without the bytes that tensors of a pool
// can share. Fails with ResourceExhausted if the remaining tensors cannot be moved, and with
// InvalidArgument if no pool has the name of a memory scope.
absl::StatusOr<PoolOf> Spill(const ir::Program& program, const std::vector<Pool>& pools,
                             absl::Span<const int64_t> room, int64_t align,
                             OverlapFinder* overlaps);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SPILL_H_
