// Chooses the thread layout of a matrix-vector product with few vectors: the threads that share a
// line of the matrix, and the lines of each thread.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_

#include <optional>

#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/depth_parts.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Sets the width, lines and team of the shape of `vectors`. Its number of vectors and their
// orientation are set already.
void ChooseVectorShape(const GpuChoice& gpus, ir::VectorProduct& vectors);

// Returns the parts into which the reduction is split among blocks. The shape of `vectors` is set.
// Returns nullopt if one block for each line is about as fast, or if a size is dynamic.
std::optional<DepthParts> ChooseDepthParts(const ir::VectorProduct& vectors, const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_VECTOR_SHAPE_H_
