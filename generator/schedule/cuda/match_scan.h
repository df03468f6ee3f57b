// Sums and products so far along rows.
//
//   for i, k: out[i, k] = (k == 0 ? 0 : out[i, k - 1]) + x[i, k]
#ifndef LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_
#define LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// `grid` is what `loops` are as a grid. Nothing where values come together otherwise, or rows do
// not lie along memory, so that neighbouring threads have neighbouring rows.
std::optional<ir::ScanRows> MatchScan(ir::Context& context, const ir::GridStride& grid,
                                      ir::StmtRef loops);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_SCAN_H_
