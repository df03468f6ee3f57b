// Products of int8 whose results are int8 again, for machines with vectors: whole rows at once, in
// loops that schedule/int8/use_products knows as one operation (ir/products.h).
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Whether the product is of that kind: int8 times int8 as int8, a window's lines in one piece.
bool IsInRows(const IntegerProduct& product, ir::DType weight_dtype, const WantedResult& wanted);

// Its rows are those of x, or the windows of a line of an image, which is copied first where they
// leave it.
Made EmitIntegerRows(IntegerGraph& graph, const IntegerProduct& product, const RealOperator& op,
                     const WantedResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_
