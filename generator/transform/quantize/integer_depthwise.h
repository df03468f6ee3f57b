// Emits depthwise convolutions of quantized images as loop nests over images with channels last.
//
// Copies the input lines of one output line first, padded with the zero point of x, so that the
// loop over channels needs no bounds checks.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Requires a window whose number of groups equals its channels and columns.
MaybeOperand EmitIntegerDepthwise(IntegerGraph& graph, const IntegerProduct& product,
                                  const RealOperator& op, const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
