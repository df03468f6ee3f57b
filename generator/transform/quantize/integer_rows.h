// Emits int8 products with int8 results for targets with vectors: whole rows at once, in loops that
// schedule/int8/use_products matches as one operation (ir/products.h).
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns true for products of int8 and int8 with int8 results, channels last, without an epilogue
// of their own, whose windows have contiguous lines (HasPieces).
bool HasRowForm(const IntegerProduct& product, ir::DType weight_dtype,
                const RequiredResult& wanted);

// Emits a product in row form. Returns nullopt in the cases of EmitIntegerProduct(). The rows are
// those of x, or the windows of a line of an image, which is copied first when windows need
// padding.
MaybeOperand EmitIntegerRows(IntegerGraph& graph, const IntegerProduct& product,
                             const RealOperator& op, const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_ROWS_H_
