// Matches elementwise nests that read along another axis than they write. They are transposed in
// tiles of shared memory, so that reads and writes are both coalesced.
#ifndef LATHE_SCHEDULE_CUDA_TRANSPOSE_TILES_H_
#define LATHE_SCHEDULE_CUDA_TRANSPOSE_TILES_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Matches the nest `stmt` with the parallel axes `grid`. Returns nullopt for other nests, if reads
// are contiguous along the written axis, if tiles would be mostly empty, or if more than four reads
// need one.
std::optional<ir::TransposeTiles> MatchTransposeTiles(ir::Context& context, ir::StmtRef stmt,
                                                      const ir::GridStride& grid);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_TRANSPOSE_TILES_H_
