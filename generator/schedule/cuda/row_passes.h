// Plans the passes over a row: the parts of each pass, and the values that threads keep between
// passes.
#ifndef LATHE_SCHEDULE_CUDA_ROW_PASSES_H_
#define LATHE_SCHEDULE_CUDA_ROW_PASSES_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/schedule/cuda/match_rows.h"
#include "generator/schedule/cuda/team_size.h"

namespace lathe::schedule {

// Parts of the group, by number, in order.
struct RowPass {
  std::vector<size_t> along;  // executed element by element in one loop
  std::vector<size_t> after;  // executed after the threads have combined their results
};

struct RowPlan {
  std::vector<RowPass> passes;
  // Loads whose values several passes need, also of values that the group computes, with the number
  // of registers that each occupies in a thread.
  std::vector<std::pair<ir::PrimRef, int64_t>> kept;
  absl::flat_hash_set<ir::BufferRef> read;  // buffers that the group writes and reads
};

// Returns the passes of `group` for teams of size `team`.
RowPlan PlanPasses(const RowGroup& group, const TeamSize& team);

// Returns the number of points of the axes, in terms of the kernel's scalars.
ir::PrimRef ElementsOf(ir::Context& context, const std::vector<ir::NestAxis>& axes);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ROW_PASSES_H_
