// Quantizes float32 images to int8 with channels last, for targets with vectors: first in the
// layout NCHW, where the elements of a row are adjacent, then by a transposition of the int8
// result.
#ifndef LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_
#define LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_

#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {

// Emits the kernel and returns `x` with channels last. Returns nullopt unless the graph uses panels
// and `x` is the R.quantize of a float32 image [N, C, H, W] to int8 with one scale.
MaybeOperand QuantizeImage(IntegerGraph& graph, const IntegerTensor& x);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_
