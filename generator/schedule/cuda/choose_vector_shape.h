// How many threads share the lines of a matrix that is multiplied with few vectors, and how many
// lines they have at a time.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_

#include <optional>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Of `vectors`, which knows how many there are and whether they are rows.
void ChooseVectorShape(const GpuChoice& gpus, ir::VectorProduct& vectors);

// The same as of tiles, of vectors that have their shape.
std::optional<DepthParts> ChooseDepthParts(const ir::VectorProduct& vectors, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
