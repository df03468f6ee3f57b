// Computes the sorted position of each element along an axis.
#ifndef LATHE_OPS_TE_RANKS_H_
#define LATHE_OPS_TE_RANKS_H_

#include "generator/ops/te/te.h"

namespace lathe::ops {

// Returns for each element the number of elements along `axis` that come before it. Equal elements
// are ordered by position. NaN counts as greater than every number.
ir::BufferRef Ranks(Te& te, ir::BufferRef x, int axis, bool descending);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_RANKS_H_
