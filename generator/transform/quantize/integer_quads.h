// Emits products with the operations of ir/quad_products.h, for cores that multiply one element at
// a time.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns nullopt if the form of the product does not fit.
MaybeOperand EmitQuadProducts(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                              const RequiredResult& wanted);
MaybeOperand EmitQuadDepthwise(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                               const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_QUADS_H_
