// Groups nests of a kernel that process the same rows, so that one launch does all of them row by
// row:
//
//   for i: sum[i] = sum over k of x[i, k]          rows i, along k
//   for i: mean[i] = sum[i] / 1000
//   for i, k: out[i, k] = x[i, k] - mean[i]
//
// Contiguous columns count as rows too: sums over k of x[k, i].
#ifndef LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_
#define LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/column_shape.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {

// A nest in the variables of its group.
struct RowPart {
  RowStage stage;      // its axes and reduce axes are the group's
  bool along = false;  // iterates along the row; otherwise executed once for each row
  std::vector<ir::NestLet> row_lets;  // invariant in the row
};

// The nests of one launch.
struct RowGroup {
  std::vector<ir::NestAxis> rows;   // outermost first; empty: there is one row
  std::vector<ir::NestAxis> along;  // the axes of a row's elements, outermost first
  std::vector<RowPart> parts;
  size_t statements = 0;               // the number of matched kernel statements
  bool few = false;                    // there are few rows, and they are long
  std::optional<ColumnShape> columns;  // if rows are columns
  // If `shares` teams share a row: the number of the team.
  ir::PrimRef share = nullptr;
  int64_t shares = 1;
  // Memory that is not used after the group, so its values need not be stored.
  absl::flat_hash_set<ir::BufferRef> inner;
};

// Matches as many nests from `first` on as form a group. Returns nullopt if none of them reduces,
// if neither the elements of a row nor neighboring rows are contiguous, or if a thread would need
// values of another row.
//
// `uses` describes the statements, `given` is memory shared by all iterations, `own` is memory that
// the kernel allocates.
std::optional<RowGroup> MatchRows(ir::Context& context, const std::vector<ir::StmtRef>& stmts,
                                  size_t first, const std::vector<BufferUses>& uses,
                                  const absl::flat_hash_set<ir::PrimRef>& given,
                                  const absl::flat_hash_set<ir::PrimRef>& own,
                                  const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_ROWS_H_
