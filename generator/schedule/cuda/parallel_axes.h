// Which loops of a nest have rounds that could run in any order, or at once.
#ifndef LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_
#define LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// What two rounds may not share where one of them writes: elements may share bytes.
enum class Apart { kInBytes, kInElements };

// The loops that stand one directly inside the other, from `stmt` on, as far as each round of them
// reads and writes what no other one writes; loops between them whose order counts stay in the
// body, and so do the numbers and checks between them: each thread has its own. No axes where there
// are none.
//
// `kept` is memory that all rounds share although the statement allocates it. `lets` are what
// variables around the statement stand for. Functions that are not among `callees` may write to all
// that they are given.
ir::GridStride ParallelAxes(ir::Context& context, ir::StmtRef stmt,
                            const absl::flat_hash_set<ir::PrimRef>& kept,
                            const analysis::ShapeVarMap& lets, const CalleeUses& callees = {},
                            Apart apart = Apart::kInBytes);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PARALLEL_AXES_H_
