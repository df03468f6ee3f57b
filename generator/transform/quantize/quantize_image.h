// Real images that become int8 with their channels innermost, for machines with vectors: the lines
// of each channel in their own order first, which are turned after that.
#ifndef LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_
#define LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_

#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {

// `x` with its channels innermost, where it is what R.quantize makes of a float32 image [N, C, H,
// W], with one scale. Nothing where it is something else.
Made QuantizeImage(IntegerGraph& graph, const IntegerTensor& x);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_QUANTIZE_IMAGE_H_
