// Draws a packing as text: one row for each step, offsets from left to right.
#ifndef LATHE_PLAN_DRAW_PACKING_H_
#define LATHE_PLAN_DRAW_PACKING_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

struct DrawOptions {
  int columns = 64;  // width of the drawing
  int rows = 40;     // maximum; if steps share a row, the one with the most live bytes is drawn
};

// Returns the drawing. A row shows a step, its live bytes, and a bar [name===] for each live block,
// scaled to its size. A bar of one column is '#', free memory is '.'. The row of the peak is
// marked. Blocks without a name in `names` show their number. A block that starts within another
// one is named after the row, with its first offset and the offset after its last byte:
// "overlapped: y at 16..80".
std::string DrawPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                        absl::Span<const std::string> names, const DrawOptions& options = {});

}  // namespace lathe::plan

#endif  // LATHE_PLAN_DRAW_PACKING_H_
