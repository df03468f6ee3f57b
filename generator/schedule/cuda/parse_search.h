// Nests that look for where the first of the largest elements is, or of the smallest:
//
//   for i: best[i] = -inf; position[i] = -1
//   for i, k: if best[i] < x[i, k] or position[i] < 0: best[i] = x[i, k]; position[i] = k
#ifndef LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_
#define LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_

#include <optional>
#include <vector>

#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {

// The search that begins at a statement; where it starts may be a statement of its own before it.
// Nothing where places are not numbered in the order of the loops.
std::optional<RowStage> ParseSearch(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                    size_t first);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_
