// Factors of a product that were widened for it alone are multiplied as they were:
//
//   a = R.astype(x, "float32")
//   b = R.astype(w, "float32")   →   c = R.nn.conv2d(x, w, out_dtype="float32")
//   c = R.nn.conv2d(a, b)
//
// The product widens each element itself, so that its value is the same. Tensor cores want factors
// so, memory has half of them to move, and constants stay as small as they are.
#ifndef LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_
#define LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Where both factors were float16, bfloat16, int8 or uint8. Needs Value::info.
void NarrowFactors(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_NARROW_FACTORS_H_
