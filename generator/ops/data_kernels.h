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

// Each function below returns a PrimFunc; the list in parentheses is its parameters. It fails if
// the shape or the dtype of an input is unknown.

// Returns (x, count): it counts the nonzero elements of x.
NestResult CountNonzero(ir::Context& context, ir::StructInfoRef x);
// Returns (x, out): it stores the indices of the `count` nonzero elements, a column for each. There
// is a row for each dimension of x, or one row of zeros if x is a scalar.
NestResult FillNonzero(ir::Context& context, ir::StructInfoRef x, ir::PrimRef count);

// Returns (begin, end, strides, begins, counts): it computes a slice of a tensor of `sizes`, a
// number for each dimension. `lists` are the types of the inputs begin, end and strides, which have
// the meaning of a Python slice. The results are begins, the first index in the tensor, and counts,
// the number of elements. The count is -1 where the stride is 0.
NestResult SliceRanges(ir::Context& context, const std::vector<ir::StructInfoRef>& lists,
                       const std::vector<ir::PrimRef>& sizes);
// Returns (x, begins, strides, out): it copies the slice of x into out, a tensor of `counts`.
// `begins` and `counts` are the results of SliceRanges().
NestResult FillSlice(ir::Context& context, ir::StructInfoRef x, ir::StructInfoRef strides,
                     const std::vector<ir::PrimRef>& counts);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DATA_KERNELS_H_
