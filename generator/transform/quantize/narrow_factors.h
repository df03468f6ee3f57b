// Removes casts that widen the factors of a product, which widens its factors itself:
//
//   a = R.astype(x, "float32")
//   b = R.astype(w, "float32")   →   c = R.nn.conv2d(x, w, out_dtype="float32")
//   c = R.nn.conv2d(a, b)
//
// The result is the same. Tensor cores need narrow factors, memory traffic halves, and constants
// stay small.
#ifndef LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_
#define LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Narrows the products of all functions. Applies when both factors have the same narrow dtype:
// float16 or bfloat16 for a product of float32, int8 or uint8 for one of int32. Needs Value::info.
void NarrowFactors(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_
