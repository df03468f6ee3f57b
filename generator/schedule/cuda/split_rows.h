// Splits few long rows among many teams; a second launch combines the partial results.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

// The groups of the two launches.
struct SplitRows {
  RowGroup parts;                 // the first launch; every part of a row is a row
  RowGroup whole;                 // the second launch, which combines the parts
  ir::BufferRef found = nullptr;  // partial results, written by `parts` and read by `whole`
};

// Splits the rows of `group`. Returns nullopt if there are enough rows, or unless the group is one
// reduction, not a search, with operations that run once for each row.
std::optional<SplitRows> SplitFewRows(ir::Context& context, const RowGroup& group);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
