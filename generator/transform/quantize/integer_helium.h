// Emits products and depthwise convolutions with the operations of ir/helium_products.h.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_HELIUM_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_HELIUM_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns nullopt if the form of the product does not fit.
MaybeOperand EmitHeliumProducts(IntegerGraph& graph, const IntegerProduct& p,
                                const RealOperator& op, const RequiredResult& wanted);
MaybeOperand EmitHeliumDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_HELIUM_H_
