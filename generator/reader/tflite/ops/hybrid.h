// Emits products of float data with integer weights: the data are quantized at run time, one scale
// per batch row.
#ifndef LATHE_READER_TFLITE_OPS_HYBRID_H_
#define LATHE_READER_TFLITE_OPS_HYBRID_H_

#include <functional>

#include "generator/reader/tflite/ops/sums.h"

namespace lathe::tflite {

// Emits the product and its scaling. `product` multiplies int8 data by the weights, with int32 sums
// whose last axis has the output channels. Each position of the first axis of the data is quantized
// with a scale of its own.
absl::StatusOr<Results> HybridSums(
    OpCall& c, const SumForm& form, const Operand& data,
    const std::function<Operand(const Operand& x, const Operand& weight)>& product);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_HYBRID_H_
