// Defines the launches of a kernel on a GPU: grids of threads, executed in order on a stream.
#ifndef LATHE_IR_DEVICE_LAUNCH_H_
#define LATHE_IR_DEVICE_LAUNCH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/tir.h"
#include "generator/support/match.h"

namespace lathe::ir {

// A loop whose iterations are distributed over a grid.
struct GridAxis {
  PrimRef var = nullptr;
  PrimRef min = nullptr;
  PrimRef extent = nullptr;  // depends on the kernel's scalars only
};

// A grid-stride loop: each thread executes iterations, singly or in groups of `group` consecutive
// ones: packed elements that share bytes only with each other. Without axes a single thread
// executes the body.
struct GridStride {
  std::vector<GridAxis> axes;  // outermost first
  StmtRef body = nullptr;
  int group = 1;
};

// The operation that combines the values of several threads.
enum class Fold { kSum, kProduct, kLargest, kSmallest, kAny, kAll };

// Combines the values of a register `value` across the threads of a team; every thread gets the
// result.
struct TeamReduction {
  Fold fold = Fold::kSum;
  BufferRef value = nullptr;
  // For argmax and argmin: the index of the first extreme element, reduced with it; else null.
  BufferRef position = nullptr;
};

struct RowStep {
  StmtRef body = nullptr;  // executed by each thread of the team; null: none
  std::vector<TeamReduction> reductions;
};

// Each team of threads executes a grid-stride loop over rows; its threads share the elements of a
// row.
//
//   for each row:  sum = 0; for k = thread; k < 1000; k += 256: sum += x[row, k]
//                  sum of all threads
//                  for k = thread; k < 1000; k += 256: out[row, k] = x[row, k] / sum
//
// Rows adjacent in memory are columns: a block processes `across` of them, and adjacent threads
// process adjacent columns.
struct TeamRows {
  std::vector<GridAxis> rows;  // outermost first; empty: a single row
  int team = 0;                // a power of two; above 32, a team is a block
  int across = 1;              // above 1: a block holds the teams of this many adjacent rows
  PrimRef thread = nullptr;    // its index in the team
  std::vector<RowStep> steps;  // executed in order, for each row
  StmtRef body = nullptr;      // the whole computation, for access analysis
};

// Consecutive elements in memory, and the local array that holds them.
struct WidePiece {
  BufferRef piece = nullptr;
  BufferRef buffer = nullptr;
  std::vector<PrimRef> at;  // index of the first element
};

// Each thread processes `width` consecutive elements per iteration, if memory is aligned for it:
//
//   x_4 = x[i .. i + 3], in one access; for v: out_4[v] = f(x_4[v]); out[i .. i + 3] = out_4
//
// and the remainder, or everything if it is not aligned, element by element.
struct WideStride {
  std::vector<GridAxis> axes;  // outermost first; the last one is the vectorized axis
  int width = 0;
  bool whole = false;  // there is no remainder
  std::vector<WidePiece> reads;
  WidePiece write;
  PrimRef lane = nullptr;   // index within the vector
  StmtRef lanes = nullptr;  // computation of one lane
  StmtRef body = nullptr;   // scalar computation of one element
};

// Blocks transpose tiles of kTransposeTile x kTransposeTile elements: data contiguous along one
// axis is read along it into shared memory, and written along another one.
inline constexpr int kTransposeTile = 32;
struct TransposeTiles {
  std::vector<GridAxis> outer;  // outermost first
  GridAxis read_along, write_along;
  std::vector<BufferRef> tiles;           // padded by a column to avoid bank conflicts
  PrimRef row = nullptr, lane = nullptr;  // indices within a tile
  StmtRef read = nullptr;                 // loads an element of each tile
  StmtRef write = nullptr;                // computes and stores the results
  StmtRef body = nullptr;                 // the computation without tiles
};

// Vector alignment of accesses along one axis: if the buffer is aligned to 16 bytes and each of the
// steps is a multiple of 16 bytes, so is the start of every row.
struct VectorAlignment {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> steps;  // in elements, over the kernel's scalars; constant steps are omitted
};

// A factor of a matrix product: its value at a line (a row or column of the result) and a step of
// the depth.
struct ProductFactor {
  PrimRef value = nullptr;
  // The factor's own axes: axes contiguous in its memory are joined.
  std::vector<GridAxis> lines, depth;
  // Whether depth is the contiguous axis, so that adjacent threads read along it.
  bool along_depth = true;
  // The load that `value` converts, if adjacent elements are contiguous; else null.
  PrimRef element = nullptr;
  // Condition under which the element exists, as for padding at an image border; elsewhere the
  // value is zero. Equal for all elements of a vector; null: always.
  PrimRef inside = nullptr;
  std::optional<VectorAlignment> alignment;  // alignment of the element loads
};

// Prefix scans along rows, one team of threads per row; every partial result is stored:
//
//   so_far = first; for k: so_far = so_far + term(k); store so_far
struct ScanRows {
  std::vector<GridAxis> rows;  // outermost first
  GridAxis along;
  Fold fold = Fold::kSum;  // or kProduct
  DType dtype;             // of the arithmetic
  PrimRef init = nullptr;  // a constant
  PrimRef term = nullptr;
  BufferRef so_far = nullptr;  // holds one element; read by `store`
  StmtRef store = nullptr;
  int team = 0;  // threads: a warp or a block
  int each = 0;  // consecutive elements per thread and iteration
  StmtRef body = nullptr;
};

// Stable sort of rows, one block per row: order[.., p, ..] is the index of the element at sorted
// position p.
struct SortRows {
  std::vector<GridAxis> rows;  // outermost first
  GridAxis along;
  PrimRef other = nullptr;  // another index along the row: `before` tells whether its element
                            // precedes the one at `along`
  PrimRef before = nullptr;
  BufferRef order = nullptr;
  std::vector<PrimRef> at;  // index over the rows and `along`
  int threads = 0;          // of a block
  int64_t shared = 0;       // elements sorted in shared memory; 0: sorted in `order` itself
  StmtRef body = nullptr;   // for access analysis
};

// The tile of results of a block and of each of its threads or, on tensor cores, warps; `depth`
// steps of the depth are loaded at a time.
struct TileShape {
  int rows = 0;
  int columns = 0;
  int depth = 0;
  int each_row = 0;
  int each_column = 0;
  bool warps = false;

  int threads() const { return (rows / each_row) * (columns / each_column) * (warps ? 32 : 1); }
};

struct TileChoice {
  TileShape shape;
  int64_t at_least = 0;  // chosen if a run has this many tiles of it and no earlier choice applies
};

// The memory layout of a factor with constant strides: contiguous along the first axis (lines or
// depth), then the other of the two, then the batch axes. Depends on the kernel's scalars only.
struct MatrixAxis {
  PrimRef var = nullptr;
  PrimRef extent = nullptr;
  PrimRef stride = nullptr;  // in elements
};
struct MatrixLayout {
  BufferRef buffer = nullptr;
  PrimRef start = nullptr;  // offset of the first element
  std::vector<MatrixAxis> axes;
};

// A tile for warpgroups of four warps, which multiply operands from a ring of `stages` buffers in
// shared memory.
struct GroupTile {
  int rows = 0;
  int columns = 0;
  int stages = 0;
  int64_t at_least = 0;  // chosen if a run has this many tiles of it and no earlier choice applies
};

// A product by Hopper instructions (TMA and wgmma), which load parts of matrices to shared memory
// and multiply them there.
struct GroupProduct {
  MatrixLayout by_row, by_column;
  std::vector<GroupTile> tiles;
};

// Split-K: several blocks share the sums. Each value of a batch axis has `each` steps of the depth,
// the last one the remainder.
struct DepthPart {
  PrimRef part = nullptr;
  int64_t each = 0;
};

// Matrix products with one factor per row and one per column of the result; blocks keep a tile of
// sums in registers:
//
//   sums[row, column] = the sum over depth of by_row[batch, row, k] * by_column[batch, column, k]
//   finish: what is stored of each
struct TiledProduct {
  // Each list of axes is flattened, the last one fastest; all start at 0. Rows and columns as
  // `finish` uses them.
  std::vector<GridAxis> batch, rows, columns, depth;
  ProductFactor by_row, by_column;
  std::optional<DepthPart> part;  // if absent, each sum is over the whole depth
  BufferRef sum = nullptr;        // holds one element; read by `finish`
  DType sum_dtype;                // of the arithmetic
  std::optional<DType> cores;     // input dtype of the tensor cores; float32 is rounded to TF32
  std::vector<StmtRef> finish;
  // Alignment of the stores of consecutive columns.
  std::optional<VectorAlignment> store_alignment;
  std::vector<TileChoice> tiles;  // the last one fits all sizes
  // Preferred to `tiles` if the GPU supports it and the sizes and addresses of a run allow it.
  std::optional<GroupProduct> groups;
  StmtRef loops = nullptr;  // the product as loops, for access analysis
};

// Shape of a product of a matrix with few vectors. If the matrix is contiguous along the depth, a
// team of threads computes `lines` lines at a time; otherwise a block computes the lines of 8
// threads.
struct VectorShape {
  bool of_rows = false;  // the vectors are rows of the result, otherwise columns
  int vectors = 0;
  int width = 0;  // consecutive elements that a thread reads at once
  int lines = 0;  // lines of a team
  int team = 0;   // threads
};

// A product of a matrix and few vectors: its cost is one read of the matrix.
struct VectorProduct {
  TiledProduct product;  // without tiles
  VectorShape shape;

  const ProductFactor& matrix() const { return shape.of_rows ? product.by_column : product.by_row; }
};

// Queries per block and, on tensor cores, per warp; keys per iteration.
struct AttentionShape {
  int rows = 0;
  int warp_rows = 0;  // 0: no tensor cores
  int keys = 0;

  int threads() const { return warp_rows == 0 ? 128 : rows / warp_rows * 32; }
};

// Bounds of an attention mask: scores of keys outside [first, end) are ignored, unless a row has no
// score above `hidden`.
struct MaskBounds {
  PrimRef first = nullptr, end = nullptr;  // over the single row axis, and nondecreasing in it
  double hidden = 0;
};

// Attention by blocks that iterate over the keys and store no scores:
//
//   scores[row, key] = score(the sum over depth of query[batch, row, k] * key[batch, key, k])
//   result[row, column] = (the sum over keys of e^scores[row, key] * value[batch, column, key])
//                         / (the sum over keys of e^scores[row, key])
//   finish: what is stored of each
struct Attention {
  // As in TiledProduct.
  std::vector<GridAxis> batch, rows, keys, depth, columns;
  ProductFactor query, key;  // lines of `query` are rows, lines of `key` are keys; k is the depth
  ProductFactor value;       // its lines are columns; its depth is the keys
  BufferRef sum = nullptr;   // holds one element; read by `score`
  PrimRef score = nullptr;
  PrimRef scale = nullptr;  // positive constant, if the score is the constant times the sum
  std::optional<MaskBounds> mask_bounds;
  BufferRef result = nullptr;  // holds one element; read by `finish`
  std::vector<StmtRef> finish;
  std::optional<VectorAlignment> store_alignment;
  std::optional<DType> cores;  // input dtype of the tensor cores: queries, keys and values have it
  int64_t depth_count = 0, column_count = 0;
  AttentionShape shape;
  StmtRef loops = nullptr;  // for access analysis
};

// Thread bindings of the program: each thread runs the body, in which loops over blockIdx and
// threadIdx execute only the thread's own iteration.
struct BoundThreads {
  std::array<PrimRef, 3> blocks = {};  // x, y, z; depend on the kernel's scalars only
  std::array<PrimRef, 3> threads = {};
  StmtRef body = nullptr;
};

// A launch is in exactly one of these forms.
using LaunchForm =
    std::variant<GridStride, TeamRows, ScanRows, SortRows, WideStride, TransposeTiles, TiledProduct,
                 VectorProduct, Attention, BoundThreads>;

// Returns the computation of a launch as statements.
inline StmtRef BodyOf(const LaunchForm& form) {
  return Match(
      form, [](const GridStride& grid) { return grid.body; },
      [](const TeamRows& rows) { return rows.body; },
      [](const ScanRows& scan) { return scan.body; },
      [](const SortRows& sort) { return sort.body; },
      [](const WideStride& wide) { return wide.body; },
      [](const TransposeTiles& tiles) { return tiles.body; },
      [](const TiledProduct& product) { return product.loops; },
      [](const VectorProduct& vectors) { return vectors.product.loops; },
      [](const Attention& attention) { return attention.loops; },
      [](const BoundThreads& bound) { return bound.body; });
}

struct GridLaunch {
  std::string name;               // the result, used in names: "out"
  std::vector<StmtRef> preamble;  // scalars and names of buffers that the form uses
  LaunchForm form;
  bool guarded = false;  // skipped after an assertion of the kernel has failed
};

using GridLaunches = std::vector<GridLaunch>;

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LAUNCH_H_
