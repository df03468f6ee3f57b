// Describes how the kernel library executes the stages of a kernel on targets with vectors, where
// its forms are faster than the plain loops.
#ifndef LATHE_IR_KERNEL_FORM_H_
#define LATHE_IR_KERNEL_FORM_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "generator/ir/nest.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// A tiled matrix product: one factor per row, one per column, sums of a tile kept in registers:
//
//   for each panel of columns, each of the outer axes, each block of rows:
//     sums[r][c] = 0
//     for k: sums[r][c] += by_row[row + r, k] * panel[k][c]
//     out[row + r, column + c] = what the stage makes of sums[r][c]
//
// `rows_outermost` moves the loop over panels inside the loop over blocks of rows.
// A panel stores its columns contiguously for each k, padded with zeros after the last column.
struct TiledSum {
  // The computation. Its spatial axes are `outer`, `row` and `column`: axes that are contiguous in
  // memory were joined.
  NestStage stage;
  std::vector<NestAxis> outer;
  NestAxis row;
  NestAxis column;  // a constant number of columns
  // by_row: the offset at row 0 and k 0, and the strides.
  BufferRef by_row = nullptr;
  PrimRef row_start = nullptr;  // offset in elements
  PrimRef row_stride = nullptr;
  std::vector<PrimRef>
      k_strides;  // one for each reduce axis of the stage, whose extents are constants
  BufferRef panels = nullptr;
  // If the panels are not constant: the factor they are packed from, described like by_row;
  // `panels` then holds one panel. `batch` are the axes on which both factors depend.
  BufferRef by_column = nullptr;
  PrimRef column_start = nullptr;
  PrimRef column_stride = nullptr;
  std::vector<PrimRef> column_k_strides;
  // Panels of integers, which are constant: each is multiplied by panel_scales[k / scale_block][c].
  // The scales of a panel follow those of the one before. Integers of 4 bits share bytes: the
  // columns of the first half of a panel are in the low bits, those of the second in the high ones.
  BufferRef panel_scales = nullptr;  // null: the panels are float32
  PrimRef scale_start = nullptr;     // offset of the scale of column 0, before they are packed
  PrimRef scale_column_stride = nullptr;
  int64_t scale_block = 0;
  std::vector<NestAxis> batch;
  int64_t depth = 0;  // total extent of the reduce axes
  int rows = 0;       // maximum rows of a tile
  int vectors = 0;    // vectors per tile row: a panel has `vectors` * `lanes` columns
  // Steps of the innermost reduce axis per block: all, or as many as keep the panel in the cache;
  // partial sums are kept in the result between blocks.
  int64_t block = 0;
  // Whether all panels are multiplied by one block of rows before the next block, so that results
  // may overwrite rows that were read. Only with constant panels and a single block of k.
  bool rows_outermost = false;
  // Whether results are stored as vectors; otherwise element by element, from a copy of the tile.
  bool stores_vectors = true;
};

// Zero padding: to[i] = from[start + i - before] if that exists, else 0.
struct PaddedCopy {
  NestStage stage;
  BufferRef from = nullptr;
  BufferRef to = nullptr;
  std::vector<int64_t> before;  // of each dimension
  // Of each dimension, where a copy of some lines begins, in terms of the loops around it; null: at
  // the beginning.
  std::vector<PrimRef> start;
};

// Vectorized loops over adjacent elements: of the result, or of the reduced axis, where each lane
// accumulates separately.
struct VectorLoops {
  NestStage stage;
  NestAxis axis;  // the vectorized axis
  // If true, `axis` is a reduce axis, and the spatial axes of the stage are loops around it; `fold`
  // combines values of `term`.
  bool folds = false;
  BinaryOp fold = BinaryOp::kAdd;
  PrimRef term = nullptr;
};

// Vectorized loops over adjacent elements of an integer result, which are computed as int32: loads
// of int8 and int16 widen, stores narrow.
struct IntegerLanes {
  NestStage stage;  // elementwise; its innermost axis is vectorized, and constant
};

// A plain NestStage keeps its loops.
using StageForm = std::variant<NestStage, TiledSum, PaddedCopy, VectorLoops, IntegerLanes>;

struct KernelForm {
  std::vector<BufferRef> own;  // local buffers
  std::vector<StageForm> stages;
  std::vector<NestRows> rows;  // in the order of their stages
  int lanes = 0;               // floats in a vector
};

// Returns true if the form differs from the loops of the kernel by integer lanes only.
inline bool HasOnlyIntegerLanes(const KernelForm& form) {
  return std::all_of(form.stages.begin(), form.stages.end(), [](const StageForm& stage) {
    return std::holds_alternative<IntegerLanes>(stage);
  });
}

// The annotation of a loop whose turns are computed as integer lanes: a loop of a kernel without a
// form, with one store.
inline constexpr char kIntegerLanesLoop[] = "lathe.integer_lanes";

// Returns the stage of such a loop. Returns nullopt for other loops.
inline std::optional<NestStage> LanesStageOf(const ForStmt& loop) {
  const auto* store = loop.body->As<StoreStmt>();
  if (store == nullptr || store->predicate != nullptr) return std::nullopt;
  NestStage stage;
  stage.spatial = {{loop.var, loop.extent}};
  stage.value = store->value;
  stage.to = store->buffer;
  stage.at = store->indices;
  return stage;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_KERNEL_FORM_H_
