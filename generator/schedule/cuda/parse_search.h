// Parses nests that search for the position of the first largest or smallest element:
//
//   for i: best[i] = -inf; position[i] = -1
//   for i, k: if best[i] < x[i, k] or position[i] < 0: best[i] = x[i, k]; position[i] = k
#ifndef LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_
#define LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_

#include <optional>
#include <vector>

#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {

// Parses the search that starts at statement `first`, which may be its initialization alone.
// Returns nullopt for other statements, or if positions are not in loop order.
std::optional<RowStage> ParseSearch(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                    size_t first);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PARSE_SEARCH_H_
