#include "generator/schedule/vectors/tile_shape.h"

#include <algorithm>

namespace lathe::schedule {
namespace {

constexpr int kMaxRows = 14;
constexpr int kMaxVectors = 4;
// Deeper sums are blocked over columns, so that their panels stay in the cache.
constexpr int64_t kDeep = 1024;
constexpr int64_t kBlock = 384;
// Addresses a multiple of this apart map to the same set of an L1 cache, which has 8 to 12 ways.
constexpr int64_t kSetBytes = 4096;
constexpr int kMaxInOneSet = 8;

// Instructions of a loop: step, comparison, branch.
constexpr int kLoop = 3;

int64_t Blocks(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

// Registers hold the sums and the vectors of a panel; the factors of rows, unless these stay in
// scalar registers; and, without fused multiply-add, the products.
int MostRows(const Target& target, int vectors) {
  const int spare = target.has_scalar_fma ? 1 : target.has_fma ? 2 : 6;
  const int rows = (target.vector_registers - vectors - spare) / vectors;
  return std::clamp(rows, 1, kMaxRows);
}

// In-order cores issue the multiplications, the loads and the loop one after another. For others,
// in half cycles: two multiplications or two loads in each cycle, limited by the latency of a sum.
double CostOfStep(const Target& target, int64_t rows, int vectors) {
  constexpr int64_t kLatency = 8;
  if (HasLittleMemory(target)) return static_cast<double>(rows * vectors + rows + vectors + kLoop);
  return static_cast<double>(std::max({rows * vectors, rows + vectors, kLatency}));
}

// Tiles of scalar registers stay small, since each unrolled tile is code in flash.
constexpr int kMaxScalarSums = 16;
constexpr int kMaxScalarRows = 4;
constexpr int kMaxScalarColumns = 8;
// Panels are padded to whole tiles: columns that are no multiple cost flash.
constexpr double kPaddingCost = 1.1;
// An integer is loaded, extended, moved, converted and scaled.
constexpr int kUnpack = 5;

// An in-order core issues the multiplications, the loads and the loop one after another.
SumTile ChooseScalarTile(const Target& target, const SumSize& size) {
  const int load = size.has_integers ? kUnpack : 1;
  SumTile best;
  double least = 0;
  for (int columns = 1; columns <= kMaxScalarColumns; ++columns) {
    if (size.in_pairs && columns % 2 != 0) continue;
    const int held = size.has_integers ? 2 * columns : columns;  // columns, and their scales
    const int sums = std::min(target.float_registers - held - 2, kMaxScalarSums);
    const int most = std::min(sums / columns, kMaxScalarRows);
    const int64_t all_rows = size.rows.value_or(int64_t{most} * 64);
    const int64_t row_blocks = Blocks(all_rows, most);
    const int64_t rows = size.rows ? Blocks(all_rows, row_blocks) : most;
    const int64_t panels = Blocks(size.columns, columns);
    double cost = static_cast<double>(panels * row_blocks) *
                  static_cast<double>(rows * columns + rows + columns * load + kLoop);
    if (size.columns % columns != 0) cost *= kPaddingCost;
    if (best.rows != 0 && cost > least) continue;  // on a tie, the wider one
    least = cost;
    best = {static_cast<int>(rows), columns, size.depth};
  }
  return best;
}

}  // namespace

int LanesOf(const Target& target) {
  if (target.vector_macro.empty()) return target.float_registers > 0 ? 1 : 0;
  return target.vector_bytes / static_cast<int>(sizeof(float));
}

bool HasLittleMemory(const Target& target) { return target.l2_bytes == 0; }

SumTile ChooseTile(const Target& target, const SumSize& size) {
  const int lanes = LanesOf(target);
  if (lanes == 1) return ChooseScalarTile(target, size);
  SumTile best;
  double least = 0;
  const int most_vectors = target.vector_registers >= 32 ? kMaxVectors : 2;
  for (int vectors = 1; vectors <= most_vectors; ++vectors) {
    if (size.in_pairs && vectors % 2 != 0) continue;
    int rows = MostRows(target, vectors);
    if (size.row_bytes && *size.row_bytes % kSetBytes == 0) rows = std::min(rows, kMaxInOneSet);
    const int64_t panels = Blocks(size.columns, int64_t{vectors} * lanes);
    // Blocks of rows are balanced: 16 rows in blocks of at most 14 are 8 and 8.
    const int64_t all_rows = std::max<int64_t>(size.rows.value_or(int64_t{rows} * 64), 1);
    const int64_t row_blocks = Blocks(all_rows, rows);
    const int64_t balanced = Blocks(all_rows, row_blocks);
    const double cost =
        static_cast<double>(panels * row_blocks) * CostOfStep(target, balanced, vectors);
    if (best.rows != 0 && cost > least) continue;  // on a tie, the wider one
    least = cost;
    best.rows = static_cast<int>(size.rows ? balanced : rows);
    best.vectors = vectors;
  }
  const int64_t blocks =
      size.depth > kDeep && !HasLittleMemory(target) ? Blocks(size.depth, kBlock) : 1;
  best.block = Blocks(size.depth, blocks);
  return best;
}

}  // namespace lathe::schedule
