// Chooses how threads share reductions over columns, where neighboring columns are adjacent in
// memory, if one thread for each column would leave most of a GPU idle.
#ifndef LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_

#include <cstdint>
#include <optional>

#include "generator/target/gpu.h"

namespace lathe::schedule {

// The distribution of columns over threads. `across` and `down` are powers of two.
struct ColumnShape {
  int across = 0;     // neighboring columns of a block
  int down = 0;       // threads of a block that cooperate on a column
  int64_t parts = 1;  // blocks that cooperate on a column
};

// Returns the shape for `columns` columns of `length` elements of `bits` bits; a nullopt argument
// is an unknown number. Returns nullopt if one thread for each column is about as fast in the cost
// model, in total on all GPUs, if a number is 0, or if elements do not fill bytes.
std::optional<ColumnShape> ChooseColumnShape(std::optional<int64_t> columns,
                                             std::optional<int64_t> length, int bits,
                                             const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_COLUMN_SHAPE_H_
