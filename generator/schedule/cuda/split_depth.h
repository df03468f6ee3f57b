// Products whose sums many blocks share: each adds up a part of the depth, and a second launch adds
// what they found, in one order whatever runs first.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"

namespace lathe::schedule {

struct SharedSums {
  ir::BufferRef found = nullptr;  // in the workspace: the sum of each part
  ir::GridStride together;        // adds them up, and finishes the sums
};

// Makes of `product` one whose sums are those of parts of the depth, so many steps each.
SharedSums SplitDepth(ir::Context& context, const DepthParts& parts, ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_
