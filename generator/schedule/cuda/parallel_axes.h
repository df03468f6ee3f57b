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

// Returns the parallel loops of `stmt` as axes, outermost first. `stmt` is a loop, and each further
// loop is the last statement in the body of the one before it. A loop is parallel if none of its
// iterations accesses memory that another one writes. The other loops stay in the body of the
// result, as do the bindings and checks before a loop, which each thread repeats. If no loop is
// parallel, the result has no axes and its body is `stmt`.
//
// `kept` is memory that all iterations share although `stmt` allocates it. `lets` are the values of
// variables that are defined around `stmt`. A function that is not in `callees` may write to all
// memory passed to it. `unit` is the unit of memory that only one iteration may write.
ir::GridStride ParallelAxes(ir::Context& context, ir::StmtRef stmt,
                            const absl::flat_hash_set<ir::PrimRef>& kept,
                            const analysis::ShapeVarMap& lets, const CalleeUses& callees = {},
                            ConflictUnit unit = ConflictUnit::kByte);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_
