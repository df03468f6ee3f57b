// Loop nests for results that are as large as the data says, in two parts: how large they are, and
// what is in them.
#ifndef LATHE_OPS_DATA_KERNELS_H_
#define LATHE_OPS_DATA_KERNELS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

using MadeNest = absl::StatusOr<ir::PrimFunc>;

// (x, count): how many elements are not zero.
MadeNest CountNonzero(ir::Context& context, ir::StructInfoRef x);
// (x, out): where those `count` elements are, a row for each dimension, one for a scalar too.
MadeNest FillNonzero(ir::Context& context, ir::StructInfoRef x, ir::PrimRef count);

// (begin, end, strides, begins, counts): for each dimension of a tensor of these sizes where a
// slice starts and how long it is; -1 where the stride is 0.
MadeNest SliceRanges(ir::Context& context, const std::vector<ir::StructInfoRef>& lists,
                     const std::vector<ir::PrimRef>& sizes);
// (x, begins, strides, out)
MadeNest FillSlice(ir::Context& context, ir::StructInfoRef x, ir::StructInfoRef strides,
                   const std::vector<ir::PrimRef>& counts);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DATA_KERNELS_H_
