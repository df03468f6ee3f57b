// Products of int32 that were int8 or uint8, by known weights that fit int8, get factors of int8,
// which tensor cores multiply; zero points that only the run knows are taken off behind them.
//
//   a = R.astype(x, "int32")                 x: uint8
//   b = R.subtract(a, z)
//   y = R.matmul(b, w)                  →    y = sum over k of (x - 128) * w, less (z - 128) * sum
//   of w
#ifndef LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_
#define LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Exact, for integers of 32 bits that may overflow too. Needs Value::info. What is dead then stays.
void NarrowProducts(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_NARROW_PRODUCTS_H_
