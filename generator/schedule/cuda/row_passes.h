// How often a row is gone through, for what, and what threads keep of it in between.
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
  std::vector<size_t> along;   // done together, element by element
  std::vector<size_t> behind;  // done when the threads have met
};

struct RowPlan {
  std::vector<RowPass> passes;
  // Elements that several passes need, as they are read, and how many registers they take.
  std::vector<std::pair<ir::PrimRef, int64_t>> kept;
  absl::flat_hash_set<ir::BufferRef> read;  // of those that the group writes
};

RowPlan PlanPasses(const RowGroup& group, const TeamSize& team);

// The number of points of axes, over the kernel's scalars.
ir::PrimRef ElementsOf(ir::Context& context, const std::vector<ir::NestAxis>& axes);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ROW_PASSES_H_
