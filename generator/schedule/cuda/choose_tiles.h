// How large the tiles of a product are, by a count of what a GPU would be busy with.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_

#include <optional>
#include <vector>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// One where all sizes are numbers. Else one for each of a few sizes of a run, the largest first.
std::vector<ir::TileChoice> ChooseTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Those by groups of warps, for the GPUs among them that have such instructions: they come before
// the tiles of `product`, which are chosen. None where no size is served better so.
std::vector<ir::GroupTile> ChooseGroupTiles(const ir::TiledProduct& product, const GpuChoice& gpus);

// Where all sizes are numbers and it is faster that blocks share the sums, so that more of a GPU is
// busy, although another launch has to add up what they found. `product` has its tiles.
std::optional<DepthParts> ChooseDepthParts(const ir::TiledProduct& product, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_TILES_H_
