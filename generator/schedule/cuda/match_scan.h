// Matches prefix sums and products along rows.
//
//   for i, k: out[i, k] = (k == 0 ? 0 : out[i, k - 1]) + x[i, k]
#ifndef LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_
#define LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Matches `loops`, whose grid is `grid`. Returns nullopt for other recurrences, for rows shorter
// than 32, or if rows are not contiguous: then neighboring threads process neighboring rows.
std::optional<ir::ScanRows> MatchScan(ir::Context& context, const ir::GridStride& grid,
                                      ir::StmtRef loops);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_
