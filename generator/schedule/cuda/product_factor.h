// Analyzes the factors of products: their memory layout, and the dtypes that tensor cores accept.
#ifndef LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
#define LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Returns `value` without the conversion from a small format to the dtype of the sum.
ir::PrimRef Narrow(ir::PrimRef value);

// Returns whether tensor cores multiply floats of `dtype` and sum in float32.
bool IsFloatOfCores(ir::DType dtype);

// Returns whether the elements that `value` loads are contiguous along the axis `var`.
bool IsSideBySide(ir::Context& context, ir::PrimRef value, ir::PrimRef var);

// Returns the value of `factor` for an element that is in bounds (ProductFactor::inside).
ir::PrimRef ValueInside(const ir::ProductFactor& factor);

// Sets `along_depth` of `factor` to false if it is contiguous along its lines, else to true. If
// vectors of its elements can be loaded, also sets `element` and `inside`. Sets nothing if the
// strides are unknown. `cores`: tensor cores read the memory unconverted.
void PlaceFactor(ir::Context& context, bool cores, ir::ProductFactor& factor);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
