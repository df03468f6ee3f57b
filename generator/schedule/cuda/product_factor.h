// The factors of products: how they lie in memory, and what tensor cores may take of them.
#ifndef LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
#define LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// A value of a small format, as it is before it is converted to that of the sum.
ir::PrimRef Narrow(ir::PrimRef value);

// Whether tensor cores add up products of such floats, in float32.
bool IsFloatOfCores(ir::DType dtype);

// Whether elements that follow each other along the axis lie side by side.
bool IsSideBySide(ir::Context& context, ir::PrimRef value, ir::PrimRef var);

// What the value of an element is where it is there (ProductFactor::inside).
ir::PrimRef ValueInside(const ir::ProductFactor& factor);

// Finds which of the lines and the depth lie side by side. `cores`: tensor cores are given what
// lies there as it is.
void PlaceFactor(ir::Context& context, bool cores, ir::ProductFactor& factor);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PRODUCT_FACTOR_H_
