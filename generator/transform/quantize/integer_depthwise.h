// Emits depthwise convolutions of quantized images as loop nests over images with channels last.
//
// If the window has padding, the nest copies the input lines of an output line first, and pads them
// with the zero point of x. The loop over channels then needs no bounds checks.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Emits `product`, for which IsDepthwise() holds: every channel of the image is a group of its own
// and has one column of weights. For GPUs it calls EmitElementProduct(). Uses the paired, quad or
// Helium loops of the graph where they support the window. `op` and `wanted` are those of
// EmitIntegerProduct(), and nullopt is returned in the same cases.
MaybeOperand EmitIntegerDepthwise(IntegerGraph& graph, const IntegerProduct& product,
                                  const RealOperator& op, const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
