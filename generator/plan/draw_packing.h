// A packing as text: time goes down, offsets go to the right.
#ifndef LATHE_PLAN_DRAW_PACKING_H_
#define LATHE_PLAN_DRAW_PACKING_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

struct DrawOptions {
  int columns = 64;  // for the offsets
  int rows = 40;     // at most; of the steps that share a row the fullest one is shown
};

// A row is a step, the bytes alive in it, and a bar [name===] for each block alive, of as many
// columns as its bytes take; # is one of a single column, and a dot is free. The row of the peak
// says so. A block without a name in `names` has its number.
std::string DrawPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                        absl::Span<const std::string> names, const DrawOptions& options = {});

}  // namespace lathe::plan

#endif  // LATHE_PLAN_DRAW_PACKING_H_
