// Replaces R.dequantize of constants without zero points by loop nests that only multiply by a
// scale, which products unpack in their inner loops.
//
//   w = R.dequantize(w8, scales, zeros)     →     w = R.call_tir(dequantize_blocks, (w8, scales))
#ifndef LATHE_TRANSFORM_DEQUANTIZE_WEIGHTS_H_
#define LATHE_TRANSFORM_DEQUANTIZE_WEIGHTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Rewrites integers of at most 8 bits with scales in float32 whose zero points are 0. Needs
// Value::info.
void DequantizeWeights(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DEQUANTIZE_WEIGHTS_H_
