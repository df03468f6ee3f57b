// Emits products and depthwise convolutions with the operations of ir/paired_products.h, for Arm
// cores with the DSP extension.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_PAIRS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_PAIRS_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns nullopt if the weights or the form of the product do not fit.
MaybeOperand EmitPairedProducts(IntegerGraph& graph, const IntegerProduct& p,
                                const RealOperator& op, const RequiredResult& wanted);
MaybeOperand EmitPairedDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_PAIRS_H_
