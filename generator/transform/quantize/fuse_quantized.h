// Replaces operators between R.dequantize and R.quantize by integer operators: convolutions and
// products with constant weights, pools, sums, products, concatenations, operators that move
// elements, and, by lookup tables, elementwise operators of one input.
//
//   lv = R.dequantize(x, ...)
//   lv1 = R.dequantize(weights, ...)
//   lv2 = R.nn.conv2d(lv, lv1)         →   y = R.call_tir(conv2d, (x, weights, bias, multipliers))
//   y = R.quantize(lv2, ...)
//
// A convolution or matrix product of quantized tensors whose float32 result is used becomes an
// integer product, too. Each result differs by at most one unit from the definitions of the
// operators, which round in float32 after each operator. Unsupported operators stay unchanged.
#ifndef LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_
#define LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/target/target.h"

namespace lathe::transform {

// Needs Value::info. Images between the new operators have channels last. Returns false when it
// changed nothing. The target and `small` select the style of the kernels: IntegerLoops.
bool FuseQuantized(ir::Context& context, ir::Module& module, const Target& target, bool small);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_FUSE_QUANTIZED_H_
