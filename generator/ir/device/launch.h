// What a kernel is on a GPU: launches of grids of threads, one behind the other on a stream.
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

// One loop of those that a grid takes apart.
struct GridAxis {
  PrimRef var = nullptr;
  PrimRef min = nullptr;
  PrimRef extent = nullptr;  // over the kernel's scalars alone
};

// Threads take what the axes count in turns, each value alone, or `group` of them that follow one
// another: elements that share bytes with each other, and with no others. Without axes one thread
// does it all.
struct GridStride {
  std::vector<GridAxis> axes;  // outermost first
  StmtRef body = nullptr;
  int group = 1;
};

// How the values of several threads become one.
enum class Fold { kSum, kProduct, kLargest, kSmallest, kAny, kAll };

// The value that each thread of a team has in `value`, a register, becomes that of them all.
struct Meeting {
  Fold fold = Fold::kSum;
  BufferRef value = nullptr;
  // Of the first of the largest, or the smallest, where it was: folded with it; else null.
  BufferRef position = nullptr;
};

struct RowStep {
  StmtRef body = nullptr;  // of each thread of the team; null: nothing
  std::vector<Meeting> meetings;
};

// Teams of threads take rows in turns; the threads of a team share the elements of its row.
//
//   for each row:  sum = 0; for k = thread; k < 1000; k += 256: sum += x[row, k]
//                  sum of all threads
//                  for k = thread; k < 1000; k += 256: out[row, k] = x[row, k] / sum
//
// Columns are rows whose neighbours lie beside each other: a block has `across` of them, threads
// beside each other those beside each other.
struct TeamRows {
  std::vector<GridAxis> rows;  // outermost first; none: there is one row
  int team = 0;                // a power of two; beyond 32 a block is one team
  int across = 1;              // more: a block has the teams of so many neighbouring rows
  PrimRef thread = nullptr;    // its number in its team
  std::vector<RowStep> steps;  // one behind the other, for each row
  StmtRef body = nullptr;      // all of them: what they read and write
};

// Neighbouring elements in memory, and the array in which a thread has them.
struct WidePiece {
  BufferRef piece = nullptr;
  BufferRef buffer = nullptr;
  std::vector<PrimRef> at;  // of the first of them
};

// Threads take `width` neighbours in turns, where memory is aligned to them:
//
//   x_4 = x[i .. i + 3], in one access; for v: out_4[v] = f(x_4[v]); out[i .. i + 3] = out_4
//
// and what is left over, or all where it is not, one by one.
struct WideStride {
  std::vector<GridAxis> axes;  // outermost first; the last one counts the neighbours
  int width = 0;
  bool whole = false;  // pieces never have elements over
  std::vector<WidePiece> reads;
  WidePiece write;
  PrimRef lane = nullptr;   // which of the neighbours
  StmtRef lanes = nullptr;  // what each of them becomes
  StmtRef body = nullptr;   // the same for one that is alone
};

// Blocks transpose tiles of so many elements each way: what lies along one axis in memory is read
// along it into shared memory, and written along another one.
inline constexpr int kTurnedTile = 32;
struct TurnedTiles {
  std::vector<GridAxis> outer;  // outermost first
  GridAxis read_along, write_along;
  std::vector<BufferRef> tiles;  // a column wider than they need be, so that no two threads meet
                                 // in a bank of memory
  PrimRef row = nullptr, lane = nullptr;  // of a tile
  StmtRef read = nullptr;                 // an element of each tile
  StmtRef write = nullptr;                // what becomes of them
  StmtRef body = nullptr;                 // the same without tiles
};

// Neighbours in memory, along one axis. Where the buffer begins at a multiple of 16 bytes, and each
// of the steps, in elements, is one, so does every run of them.
struct EvenPlaces {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> steps;  // over the kernel's scalars; those that are numbers are left out
};

// A factor of a product of matrices: what it is for one of its lines, which are rows or columns of
// the result, and one step of the depth.
struct ProductFactor {
  PrimRef value = nullptr;
  // Its own view of them: axes that are one where it lies in memory are joined.
  std::vector<GridAxis> lines, depth;
  // Which of them lies closer together in memory, so that neighbouring threads read along it.
  bool along_depth = true;
  // The one load of which the value is a conversion, where neighbours lie side by side; else null.
  PrimRef element = nullptr;
  // Where the element is there at all, as beside the border of an image: else the value is zero.
  // The same for all neighbours; null: always.
  PrimRef inside = nullptr;
  std::optional<EvenPlaces> even;  // its places
};

// Values that come together along rows and are all stored, by teams of threads that take a row
// each:
//
//   so_far = first; for k: so_far = so_far + term(k); store so_far
struct ScanRows {
  std::vector<GridAxis> rows;  // outermost first
  GridAxis along;
  Fold fold = Fold::kSum;  // or kProduct
  DType dtype;             // of the arithmetic
  PrimRef init = nullptr;  // a number
  PrimRef term = nullptr;
  BufferRef so_far = nullptr;  // of one element: `store` reads it
  StmtRef store = nullptr;
  int team = 0;  // of threads, a warp or a block
  int each = 0;  // neighbours that a thread has at a time
  StmtRef body = nullptr;
};

// The order of rows, stable, by blocks that take a row each: order[.., p, ..] is the number of the
// element that comes p-th.
struct SortRows {
  std::vector<GridAxis> rows;  // outermost first
  GridAxis along;
  PrimRef other = nullptr;  // another number along the row: `before` is whether its element comes
                            // before that of `along`
  PrimRef before = nullptr;
  BufferRef order = nullptr;
  std::vector<PrimRef> at;  // over the rows and `along`
  int threads = 0;          // of a block
  int64_t shared = 0;       // elements that are numbered in shared memory; 0: in `order` itself
  StmtRef body = nullptr;   // what it reads and writes
};

// So many sums for a block and for each of its threads, or, on tensor cores, of its warps; so many
// products of each at a time.
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
  int64_t at_least = 0;  // taken where a run has so many tiles of it, and none before it was
};

// How a factor of a product lies in memory where every step along an axis is of the same length:
// elements side by side along the first axis, which is its lines or its depth, then the other of
// them, then axes of the batch. All of it over the kernel's scalars alone.
struct MatrixAxis {
  PrimRef var = nullptr;
  PrimRef extent = nullptr;
  PrimRef stride = nullptr;  // in elements
};
struct MatrixPlace {
  BufferRef buffer = nullptr;
  PrimRef start = nullptr;  // where the first element is
  std::vector<MatrixAxis> axes;
};

// A tile for groups of four warps, which multiply what is in a ring of so many stages.
struct GroupTile {
  int rows = 0;
  int columns = 0;
  int stages = 0;
  int64_t at_least = 0;  // taken where a run has so many tiles of it, and none before it was
};

// A product by instructions of Hopper, which bring parts of matrices to shared memory and multiply
// them there.
struct GroupProduct {
  MatrixPlace by_row, by_column;
  std::vector<GroupTile> tiles;
};

// Sums that several blocks share: each value of an axis of the batch has so many steps of the
// depth, the last one what is left.
struct DepthPart {
  PrimRef part = nullptr;
  int64_t each = 0;
};

// Sums of products, of one factor that goes along the rows of the result and one along its columns,
// by blocks that keep a tile of them in registers:
//
//   sums[row, column] = the sum over depth of by_row[batch, row, k] * by_column[batch, column, k]
//   finish: what is stored of each
struct TiledProduct {
  // Axes that count as one, the last fastest; all from 0. Rows and columns as `finish` sees them.
  std::vector<GridAxis> batch, rows, columns, depth;
  ProductFactor by_row, by_column;
  std::optional<DepthPart> part;  // else each sum is of the whole depth
  BufferRef sum = nullptr;        // of one element: `finish` reads it
  DType sum_dtype;                // of the arithmetic
  std::optional<DType> cores;     // what tensor cores multiply: both values are of it; float32
                                  // is rounded to TF32
  std::vector<StmtRef> finish;
  // What it stores, where that of columns that follow each other is.
  std::optional<EvenPlaces> side_by_side;
  std::vector<TileChoice> tiles;  // the last one serves all sizes
  // What comes before them where a GPU has it, and sizes and addresses of a run allow it.
  std::optional<GroupProduct> groups;
  StmtRef loops = nullptr;  // the same as loops: what it reads and writes
};

// How few vectors are multiplied with a matrix that lies along the depth, a team of threads to so
// many lines of it at a time; or side by side, then a block has the lines of 8 threads.
struct VectorShape {
  bool of_rows = false;  // the vectors are rows of the result, else its columns
  int vectors = 0;
  int width = 0;  // neighbours that a thread reads at once
  int lines = 0;  // of a team
  int team = 0;   // threads
};

// A product of a matrix and few vectors: what it takes is to read the matrix, once.
struct VectorProduct {
  TiledProduct product;  // without tiles
  VectorShape shape;

  const ProductFactor& matrix() const { return shape.of_rows ? product.by_column : product.by_row; }
};

// So many queries for a block, and on tensor cores for each of its warps; so many keys at a time.
struct AttentionShape {
  int rows = 0;
  int warp_rows = 0;  // 0: threads multiply
  int keys = 0;

  int threads() const { return warp_rows == 0 ? 128 : rows / warp_rows * 32; }
};

// The keys [first, end), beyond which no score of a row counts, unless it has none above `hidden`.
struct SeenKeys {
  PrimRef first = nullptr, end = nullptr;  // over the only axis of the rows, which never lets them
                                           // fall
  double hidden = 0;
};

// Rows of queries, and values weighted by how well their keys suit them, by blocks that go through
// the keys and keep no scores:
//
//   scores[row, key] = what becomes of the sum over depth of query[batch, row, k] * key[batch, key,
//   k] result[row, column] = the sum over keys of e^scores[row, key] * value[batch, column, key],
//                         by that of e^scores[row, key]
//   finish: what is stored of each
struct Attention {
  // As those of a product.
  std::vector<GridAxis> batch, rows, keys, depth, columns;
  ProductFactor query, key;  // their lines are rows, and keys; k is the depth
  ProductFactor value;       // its lines are columns; keys are its depth
  BufferRef sum = nullptr;   // of one element: `score` reads it
  PrimRef score = nullptr;
  PrimRef scale = nullptr;  // a number above 0, where the score is that times the sum
  std::optional<SeenKeys> seen;
  BufferRef result = nullptr;  // so too, for `finish`
  std::vector<StmtRef> finish;
  std::optional<EvenPlaces> side_by_side;
  std::optional<DType> cores;  // what tensor cores multiply: queries, keys and values are of it
  int64_t depth_count = 0, column_count = 0;
  AttentionShape shape;
  StmtRef loops = nullptr;  // what it reads and writes
};

// As the program bound its loops: each thread runs the body, in which loops over blockIdx and
// threadIdx are its own round of them.
struct BoundThreads {
  std::array<PrimRef, 3> blocks = {};  // x, y, z: over the kernel's scalars alone
  std::array<PrimRef, 3> threads = {};
  StmtRef body = nullptr;
};

// A launch is in exactly one of these forms.
using LaunchForm = std::variant<GridStride, TeamRows, ScanRows, SortRows, WideStride, TurnedTiles,
                                TiledProduct, VectorProduct, Attention, BoundThreads>;

// What a launch does, as statements.
inline StmtRef BodyOf(const LaunchForm& form) {
  return Match(
      form, [](const GridStride& grid) { return grid.body; },
      [](const TeamRows& rows) { return rows.body; },
      [](const ScanRows& scan) { return scan.body; },
      [](const SortRows& sort) { return sort.body; },
      [](const WideStride& wide) { return wide.body; },
      [](const TurnedTiles& tiles) { return tiles.body; },
      [](const TiledProduct& product) { return product.loops; },
      [](const VectorProduct& vectors) { return vectors.product.loops; },
      [](const Attention& attention) { return attention.loops; },
      [](const BoundThreads& bound) { return bound.body; });
}

struct GridLaunch {
  std::string name;               // what it computes: "out"
  std::vector<StmtRef> preamble;  // scalars and names of buffers that the form uses
  LaunchForm form;
  bool guarded = false;  // does nothing once an assertion of the kernel did not hold
};

using GridLaunches = std::vector<GridLaunch>;

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LAUNCH_H_
