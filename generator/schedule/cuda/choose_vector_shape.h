// Chooses the thread layout of a matrix-vector product with few vectors: the threads that share a
// line of the matrix, and the lines of each thread.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_

#include <optional>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Sets the shape of `vectors`, whose number and orientation are known.
void ChooseVectorShape(const GpuChoice& gpus, ir::VectorProduct& vectors);

// Splits the reduction among blocks, as for tiles. The shape of `vectors` is set.
std::optional<DepthParts> ChooseDepthParts(const ir::VectorProduct& vectors, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
