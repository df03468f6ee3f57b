// Elements that share bytes, of which no two threads may write one: threads take groups of them
// that fill whole bytes.
//
//   for i, j: out[i, j] = f(x[i, j])        of int4: a thread does elements 2 * t and 2 * t + 1
#ifndef LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_
#define LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_

#include <optional>

#include "generator/schedule/cuda/parallel_axes.h"

namespace lathe::schedule {

// The grid of a nest that stores such elements, each at the place that is its number among all that
// the loops count. Nothing where it stores none, or stores them elsewhere. Its arguments are those
// of ParallelAxes.
std::optional<ir::GridStride> PackedGroups(ir::Context& context, ir::StmtRef stmt,
                                           const absl::flat_hash_set<ir::PrimRef>& kept,
                                           const analysis::ShapeVarMap& lets,
                                           const CalleeUses& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PACKED_GROUPS_H_
