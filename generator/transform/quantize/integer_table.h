// Computes functions of one small integer by table lookup.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_

#include <functional>

#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {

// Emits a lookup of `results`, one for each value of `x`, quantized by the definition of
// R.quantize. Returns nullopt if x does not have 8 bits, if the result is real, or if an element of
// `results` is NaN.
MaybeOperand EmitTable(IntegerGraph& graph, const IntegerTensor& x,
                       const std::vector<double>& results, const RealOperator& op,
                       const RequiredResult& wanted);

// Returns the real values of all integers of `affine`, from the lowest one on; empty unless they
// have 8 bits.
std::vector<double> AllValuesOf(const Affine& affine);

// Converts `x` to another scale and zero point and clamps it by `op`. Returns `x` when nothing
// changes, and nullopt in the cases of EmitTable.
MaybeOperand Rescaled(IntegerGraph& graph, const IntegerTensor& x, const RealOperator& op,
                      const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_
