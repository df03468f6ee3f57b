// Matches sorting by rank: loops that count the elements that precede each element, and stores at
// these ranks.
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

struct SortNests {
  size_t statements = 1;  // number of statements that compute the ranks
  ir::SortRows sort;      // computes the sorted order instead of the ranks
  // The statements that store elements at their rank, by index: the scatter out[rank[j]] = x[j]
  // becomes the gather out[p] = x[order[p]].
  std::vector<std::pair<size_t, ir::StmtRef>> gathers;
};

// Matches statements from `first` on. Returns nullopt if the ranks have other readers, if the
// comparison is not an order (`<`, with NaN first or last), if rows are shorter than 32, or if
// there are fewer than 64 rows of more than 65,536 elements. `own` is memory that the kernel
// allocates.
std::optional<SortNests> MatchSort(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                   size_t first, const std::vector<BufferUses>& uses,
                                   const absl::flat_hash_set<ir::PrimRef>& own);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_SORT_H_
