// Results that follow from one small integer alone: looked up in a table of all there are.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_

#include <functional>

#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {

// The result of each real value that `x` may stand for, by the definition of R.quantize. Nothing
// for integers of more than 8 bits.
Made EmitTable(IntegerGraph& graph, const IntegerTensor& x, const std::vector<double>& results,
               const RealOperator& op, const WantedResult& wanted);

// The real values that `affine` has integers for, from the lowest one on; none for more than 8
// bits.
std::vector<double> AllValuesOf(const Affine& affine);

// `x` with another scale and zero point, clamped as `op` says: itself when nothing changes.
Made Rescaled(IntegerGraph& graph, const IntegerTensor& x, const RealOperator& op,
              const WantedResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_TABLE_H_
