// Computes the constants of integer products: initial sums, bounds, and factors of results.
#ifndef LATHE_TRANSFORM_QUANTIZE_PRODUCT_NUMBERS_H_
#define LATHE_TRANSFORM_QUANTIZE_PRODUCT_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns the smallest dtype of int8, int16 and int32 that represents all weights.
ir::DType WeightDType(const std::vector<int32_t>& weights);

// The constants that every kernel of a product needs.
struct ProductNumbers {
  ir::DType weight_dtype;     // the dtype that holds all weights
  std::vector<int64_t> bias;  // the initial int32 sum of each column
  IntegerEpilogue epilogue;   // converts sums to results
};
// Returns nullopt if sums do not fit 32 bits, if the bias, rounded to units of the sums, is too
// inaccurate, or if no multiplier represents the factors.
std::optional<ProductNumbers> NumbersOf(const IntegerProduct& product, const RealOperator& op,
                                        const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_PRODUCT_NUMBERS_H_
