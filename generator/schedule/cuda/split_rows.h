// Splits few long rows among many teams; a second launch combines the partial results.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

struct SplitRows {
  RowGroup parts;  // every part of a row is a row
  RowGroup whole;
  ir::BufferRef found = nullptr;  // partial results, written by `parts` and read by `whole`
};

// Returns nothing if there are enough rows, or if the group has more than one reduction with the
// operations that follow from it.
std::optional<SplitRows> SplitFewRows(ir::Context& context, const RowGroup& group);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
