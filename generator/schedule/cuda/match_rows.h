// Which nests of a kernel go along the same rows, so that one launch does them all, row by row:
//
//   for i: sum[i] = sum over k of x[i, k]          rows i, along k
//   for i: mean[i] = sum[i] / 1000
//   for i, k: out[i, k] = x[i, k] - mean[i]
//
// Columns are rows too, whose neighbours lie beside each other: sums over k of x[k, i].
#ifndef LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_
#define LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/column_shape.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {

// A nest over the variables of its group.
struct RowPart {
  RowStage stage;                     // its axes and what it reduces over are the group's
  bool along = false;                 // it goes along the row; else it is done once for each
  std::vector<ir::NestLet> row_lets;  // the same for all elements of the row
};

struct RowGroup {
  std::vector<ir::NestAxis> rows;   // outermost first; none: there is one row
  std::vector<ir::NestAxis> along;  // what a row's elements are counted by, outermost first
  std::vector<RowPart> parts;
  size_t statements = 0;               // of the kernel
  bool few = false;                    // rows, and long ones
  std::optional<ColumnShape> columns;  // of rows that are columns
  // Where a row is shared by so many teams, the number of a team among them.
  ir::PrimRef share = nullptr;
  int64_t shares = 1;
  // Memory that nothing behind the group uses: its values need no place there.
  absl::flat_hash_set<ir::BufferRef> inner;
};

// The nests from `first` on, as many as belong together. Nothing where neither the elements of a
// row lie side by side in memory nor those of neighbouring rows, or threads would need what others
// of another row wrote.
//
// `uses` are those of the statements, `given` is memory that all rounds share, `own` what the
// kernel allocates.
std::optional<RowGroup> MatchRows(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                  size_t first, const std::vector<BufferUses>& uses,
                                  const absl::flat_hash_set<ir::PrimRef>& given,
                                  const absl::flat_hash_set<ir::PrimRef>& own,
                                  const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_
