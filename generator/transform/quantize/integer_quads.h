// Emits int8 products for cores that multiply one element at a time, with the operations of
// ir/quad_products.h. A quad is four columns, whose weights are stored next to each other and whose
// sums are computed together.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Emit `p` with the scale of the result `wanted`, clamped by `op`: a matrix product or convolution,
// and a depthwise convolution. Return nullopt if elements, weights or results are not int8, if the
// result is stored as [N, C, H, W], if NumbersOf() returns nullopt, or if OperationResultOf() does.
// EmitQuadProducts also returns nullopt if the rows have no contiguous pieces (HasPieces),
// EmitQuadDepthwise if sums that are rounded twice exceed the limits of runtime-c/quad_depthwise.h.
MaybeOperand EmitQuadProducts(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                              const RequiredResult& wanted);
MaybeOperand EmitQuadDepthwise(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                               const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_
