// Chooses the tile size of a sum for a machine from its registers, caches and instructions.
#ifndef LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_
#define LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_

#include <cstdint>
#include <optional>

#include "generator/target/target.h"

namespace lathe::schedule {

struct SumSize {
  std::optional<int64_t> rows;  // nothing: dynamic
  int64_t columns = 0;
  int64_t depth = 0;
  // Distance of neighboring rows in bytes. Nothing: dynamic.
  std::optional<int64_t> row_bytes;
  bool has_integers = false;  // columns are integers with scales
  bool in_pairs = false;      // two columns share a byte: tiles have even numbers of vectors
};

struct SumTile {
  int rows = 0;
  int vectors = 0;
  int64_t block = 0;  // of the depth
};

// Returns the number of floats in a vector of the target, 1 if the kernel library has code for its
// scalar registers, or 0 if it has none.
int LanesOf(const Target& target);

// Returns whether buffers of the size of an image are too large: microcontrollers, which have no
// second level of cache.
bool HasLittleMemory(const Target& target);

// Returns the tile of a float32 sum of `size` with the lowest estimated cost.
SumTile ChooseTile(const Target& target, const SumSize& size);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_TILE_SHAPE_H_
