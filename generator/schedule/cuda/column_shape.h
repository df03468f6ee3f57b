// How threads share columns that lie beside each other: where a thread for each leaves most of a
// GPU idle.
#ifndef LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_

#include <cstdint>
#include <optional>

#include "generator/target/gpu.h"

namespace lathe::schedule {

struct ColumnShape {
  int across = 0;     // neighbouring columns of a block; powers of two
  int down = 0;       // threads of a block that share a column
  int64_t parts = 1;  // blocks that share it
};

// Of so many columns of so many elements of `bits` each, where that is known. Nothing where a
// thread for each column is about as fast, by a count of cycles on all GPUs.
std::optional<ColumnShape> ChooseColumnShape(std::optional<int64_t> columns,
                                             std::optional<int64_t> length, int bits,
                                             const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_
