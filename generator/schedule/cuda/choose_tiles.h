// Chooses the tile sizes of a product with a cost model of GPU throughput.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_

#include <optional>
#include <vector>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Returns one choice if all sizes are constant. Otherwise it returns a few choices, the largest
// tile first, each with the number of tiles from which on it is used.
std::vector<ir::TileChoice> ChooseTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Returns tiles of warpgroup instructions, for the GPUs that have these. They take precedence over
// the chosen tiles of `product`. The result is empty if no GPU has these instructions or if they
// are not faster at any size.
std::vector<ir::GroupTile> ChooseGroupTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Returns the parts of the depth to split the sums into, among blocks. Returns nullopt if a size is
// dynamic or if the split is not faster, with the second launch, which adds the partial sums.
// `product` has its tiles.
std::optional<DepthParts> ChooseDepthParts(const ir::TiledProduct& product, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
