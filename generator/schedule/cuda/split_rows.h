// Few long rows, each shared by many teams: what the teams find out of their parts comes together
// in a second launch.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

struct SplitRows {
  RowGroup parts;  // every part of a row is a row
  RowGroup whole;
  ir::BufferRef found = nullptr;  // of each part, written by the one and read by the other
};

// Nothing where there are rows enough, or a row is no more than one thing that comes together and
// what follows from that.
std::optional<SplitRows> SplitFewRows(ir::Context& context, const RowGroup& group);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_ROWS_H_
