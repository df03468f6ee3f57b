// Analyzes the factors of products: their memory layout, and the dtypes that tensor cores accept.
#ifndef LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
#define LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Returns a value of a small format without its conversion to the dtype of the sum.
ir::PrimRef Narrow(ir::PrimRef value);

// Returns whether tensor cores multiply these floats and sum in float32.
bool IsFloatOfCores(ir::DType dtype);

// Returns whether consecutive elements along the axis are contiguous.
bool IsSideBySide(ir::Context& context, ir::PrimRef value, ir::PrimRef var);

// Returns the value of an element that is in bounds (ProductFactor::inside).
ir::PrimRef ValueInside(const ir::ProductFactor& factor);

// Finds whether the lines or the depth are contiguous. `cores`: tensor cores read the memory
// unconverted.
void PlaceFactor(ir::Context& context, bool cores, ir::ProductFactor& factor);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
