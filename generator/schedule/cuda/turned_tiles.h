// Elementwise nests that read along another axis than they write: transposed by way of tiles of
// shared memory, so that neighbouring threads do both to neighbours.
#ifndef LATHE_SCHEDULE_CUDA_TURNED_TILES_H_
#define LATHE_SCHEDULE_CUDA_TURNED_TILES_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// The nest `stmt`, of which `grid` has the axes that are spread over threads. Nothing where what it
// reads lies along the axis that it writes, or tiles would be mostly empty.
std::optional<ir::TurnedTiles> MatchTurnedTiles(ir::Context& context, ir::StmtRef stmt,
                                                const ir::GridStride& grid);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_TURNED_TILES_H_
