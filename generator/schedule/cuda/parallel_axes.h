// Finds the loops of a nest whose iterations may run in parallel.
#ifndef LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_
#define LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// The unit in which iterations must write disjoint memory: packed elements may share bytes.
enum class ConflictUnit { kByte, kElement };

// Returns the nested loops from `stmt` on whose iterations access no memory that another iteration
// writes. Sequential loops between them stay in the body, as do bindings and checks, which each
// thread repeats. Returns no axes if there are none.
//
// `kept` is memory that all iterations share although the statement allocates it. `lets` are the
// values of variables defined around the statement. Functions that are not in `callees` may write
// to all memory passed to them.
ir::GridStride ParallelAxes(ir::Context& context, ir::StmtRef stmt,
                            const absl::flat_hash_set<ir::PrimRef>& kept,
                            const analysis::ShapeVarMap& lets, const CalleeUses& callees = {},
                            ConflictUnit unit = ConflictUnit::kByte);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_
