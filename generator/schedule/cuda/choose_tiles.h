// Chooses the tile sizes of a product with a cost model of GPU throughput.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_

#include <optional>
#include <vector>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Returns one choice if all sizes are constant. Otherwise a few choices, each with the smallest
// sizes that it is for, the largest first.
std::vector<ir::TileChoice> ChooseTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Returns tiles of warpgroup instructions, for the GPUs that have these. They take precedence
// over the chosen tiles of `product`. Empty if they are not faster at any size.
std::vector<ir::GroupTile> ChooseGroupTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Splits the depth of the sums among blocks if all sizes are constant and the split is faster, even
// with the second launch, which adds the partial sums. `product` has its tiles.
std::optional<DepthParts> ChooseDepthParts(const ir::TiledProduct& product, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
