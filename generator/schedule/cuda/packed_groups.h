// Distributes packed elements over threads in groups that fill whole bytes, because no two threads
// may write to the same byte.
//
//   for i, j: out[i, j] = f(x[i, j])        of int4: a thread stores elements 2 * t and 2 * t + 1
#ifndef LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_
#define LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_

#include <optional>

#include "generator/schedule/cuda/parallel_axes.h"

namespace lathe::schedule {

// Returns the grid of `stmt`, a nest that stores packed elements in the order of its iterations,
// with the number of elements in a group. Returns nullopt if it stores none, stores them in another
// order, or has no parallel loops. The arguments are those of ParallelAxes.
std::optional<ir::GridStride> PackedGroups(ir::Context& context, ir::StmtRef stmt,
                                           const absl::flat_hash_set<ir::PrimRef>& kept,
                                           const analysis::ShapeVarMap& lets,
                                           const CalleeUses& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_
