// The order of rows, as counts of what comes before each element, and what is put in that order.
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
  size_t statements = 1;  // that count
  ir::SortRows sort;  // which element comes first, second, ... instead of how many come before each
  // Statements that put elements where the counts said, by number: each place takes its element.
  std::vector<std::pair<size_t, ir::StmtRef>> takers;
};

// Statements from `first` on. Nothing where others read the counts, or there is no such order:
// numbers by <, NaN last or first. `own` is memory that the kernel allocates.
std::optional<SortNests> MatchSort(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                   size_t first, const std::vector<BufferUses>& uses,
                                   const absl::flat_hash_set<ir::PrimRef>& own);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_SORT_H_
