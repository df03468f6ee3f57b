// Matches sorting by rank: counts of the elements that precede each element, and stores at these
// ranks.
//
//   for i, j, k: rank[i, j] += before(x[i, k], x[i, j]) or (equal and k < j)
//   for i, j: out[i, rank[i, j]] = x[i, j]
#ifndef LATHE_SCHEDULE_CUDA_MATCH_SORT_H_
#define LATHE_SCHEDULE_CUDA_MATCH_SORT_H_

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {

// The matched statements.
struct SortNests {
  size_t statements = 1;  // statements that count
  ir::SortRows sort;      // computes the sorted order instead of the ranks
  // Statements that store elements at their rank, by number, rewritten so that each destination
  // loads its element.
  std::vector<std::pair<size_t, ir::StmtRef>> takers;
};

// Matches statements from `first` on. Returns nullopt if the ranks have other readers or the
// comparison is not an order: `<`, with NaN first or last. `own` is memory that the kernel
// allocates.
std::optional<SortNests> MatchSort(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                   size_t first, const std::vector<BufferUses>& uses,
                                   const absl::flat_hash_set<ir::PrimRef>& own);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_SORT_H_
