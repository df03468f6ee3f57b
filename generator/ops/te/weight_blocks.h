// Computes real numbers from integers of which several share a scale: those of a channel, or those
// of a block along an axis.
//
//   out[i, k] = float(integers[i, k]) * scales[i, k / 32]
#ifndef LATHE_OPS_TE_WEIGHT_BLOCKS_H_
#define LATHE_OPS_TE_WEIGHT_BLOCKS_H_

#include <cstdint>

#include "generator/ops/te/te.h"

namespace lathe::ops {

// The operator name of the PrimFuncs.
inline constexpr char kDequantizeBlocks[] = "dequantize_blocks";

// Returns the numbers of dtype `real` for the integers in input 0, of the dimensions `dims`. Input
// 1 has the scales and input 2, if there is one, the zero points. Both have one axis, with an
// element for each position along `axis`, or the axes of the integers, of which `block` positions
// of `axis` share one element.
ir::BufferRef DequantizeBlocks(Te& te, const Dims& dims, int axis, int64_t block, ir::DType real);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_WEIGHT_BLOCKS_H_
