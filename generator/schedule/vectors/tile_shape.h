// How large a tile of sums is on a machine, by what its registers, cache and instructions are.
#ifndef LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_
#define LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_

#include <cstdint>
#include <optional>

#include "generator/target/target.h"

namespace lathe::schedule {

struct SumSize {
  std::optional<int64_t> rows;  // nothing where it shows when it runs
  int64_t columns = 0;
  int64_t depth = 0;
  // Between the elements of neighbouring rows, in bytes; nothing where it shows when it runs.
  std::optional<int64_t> row_bytes;
};

struct SumTile {
  int rows = 0;
  int vectors = 0;
  int64_t block = 0;  // of the depth
};

// Floats in a vector of the target; 0 where the library of kernels has nothing for it.
int LanesOf(const Target& target);

SumTile ChooseTile(const Target& target, const SumSize& size);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_
