// Operators between R.dequantize and R.quantize become integer operators: convolutions and products
// with known weights, pools, sums, products, concatenations, whatever moves elements, and by tables
// all that work on one element alone.
//
//   lv = R.dequantize(x, ...)
//   lv1 = R.dequantize(weights, ...)
//   lv2 = R.nn.conv2d(lv, lv1)         →   y = R.call_tir(conv2d, (x, weights, bias, multipliers))
//   y = R.quantize(lv2, ...)
//
// Each result is at most one unit from what the operators' definitions say, which round in float32
// after each of them. What is in no form that is known stays as it is.
#ifndef LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_
#define LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/target/target.h"

namespace lathe::transform {

// Needs Value::info. Images between the operators it makes have their channels innermost. False
// when there was nothing to do. The target says how the kernels are written: IntegerLoops.
bool FuseQuantized(ir::Context& context, ir::Module& module, const Target& target);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_
