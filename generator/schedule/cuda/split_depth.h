// Splits the sums of a product among blocks: each sums a part of the depth, and a second launch
// adds the partial sums in a fixed order, so that results are deterministic.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"

namespace lathe::schedule {

// The second launch and the memory between the launches.
struct SharedSums {
  ir::BufferRef found = nullptr;  // in the workspace: the sum of each part
  ir::GridStride together;        // adds the partial sums and finishes the results
};

// Changes `product` to compute the sums of parts of the depth, and returns the launch that adds
// them.
SharedSums SplitDepth(ir::Context& context, const DepthParts& parts, ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_DEPTH_H_
