// Where each element stands once those along an axis are in order.
#ifndef LATHE_OPS_RANKS_H_
#define LATHE_OPS_RANKS_H_

#include "generator/ops/te.h"

namespace lathe::ops {

// For each element the number of those along `axis` that come before it, equal ones by position.
// NaN is beyond every number.
ir::BufferRef Ranks(Te& te, ir::BufferRef x, int axis, bool descending);

}  // namespace lathe::ops

#endif  // LATHE_OPS_RANKS_H_
