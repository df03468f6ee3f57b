// Rewrites int32 matrix products of int8 or uint8 values with constant int8 weights to int8
// factors, for tensor cores. Zero points, which may be dynamic, are subtracted after the product.
//
//   a = R.astype(x, "int32")                 x: uint8
//   b = R.subtract(a, z)
//   y = R.matmul(b, w)                  →    y = sum of (x - 128) * w - (z - 128) * sum of w
#ifndef LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_
#define LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Rewrites the products in all functions. The results are equal, also on overflow of 32 bits. Needs
// Value::info. Leaves dead bindings in place.
void NarrowProducts(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_
