// Convolutions of each channel with a kernel of its own, as loop nests over images whose channels
// are innermost.
//
// The lines that the windows of one line of the result lie in are copied first, with the zero point
// of x where they leave the image, so that the loop over channels asks nothing.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// A product whose window has as many groups as there are channels and columns.
Made EmitIntegerDepthwise(IntegerGraph& graph, const IntegerProduct& product,
                          const RealOperator& op, const WantedResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_DEPTHWISE_H_
