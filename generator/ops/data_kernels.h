// Generates loop nests for results whose size depends on data, in two parts: one computes the size,
// one the elements.
#ifndef LATHE_OPS_DATA_KERNELS_H_
#define LATHE_OPS_DATA_KERNELS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

using NestResult = absl::StatusOr<ir::PrimFunc>;

// (x, count): counts the nonzero elements.
NestResult CountNonzero(ir::Context& context, ir::StructInfoRef x);
// (x, out): the indices of the `count` nonzero elements, one row per dimension, and one row for a
// scalar.
NestResult FillNonzero(ir::Context& context, ir::StructInfoRef x, ir::PrimRef count);

// (begin, end, strides, begins, counts): the start and length of a slice in each dimension of a
// tensor of these sizes; -1 where the stride is 0.
NestResult SliceRanges(ir::Context& context, const std::vector<ir::StructInfoRef>& lists,
                       const std::vector<ir::PrimRef>& sizes);
// (x, begins, strides, out)
NestResult FillSlice(ir::Context& context, ir::StructInfoRef x, ir::StructInfoRef strides,
                     const std::vector<ir::PrimRef>& counts);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DATA_KERNELS_H_
