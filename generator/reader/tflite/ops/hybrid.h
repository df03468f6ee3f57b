// Emits products of float data with integer weights: the data are quantized at run time, one scale
// per batch row.
#ifndef LATHE_READER_TFLITE_OPS_HYBRID_H_
#define LATHE_READER_TFLITE_OPS_HYBRID_H_

#include <functional>

#include "generator/reader/tflite/ops/sums.h"

namespace lathe::tflite {

// Quantizes a value of a row to int32 numbers of 8 bits. A symmetric row is known by its largest
// magnitude, an asymmetric one by its least and largest value, of which 0 is one.
PrimRef SymmetricInteger(ScalarMath& m, PrimRef x, PrimRef magnitude);
PrimRef AsymmetricScale(ScalarMath& m, PrimRef low, PrimRef high);
PrimRef AsymmetricZero(ScalarMath& m, PrimRef low, PrimRef high);
PrimRef AsymmetricInteger(ScalarMath& m, PrimRef x, PrimRef scale, PrimRef zero);

struct HybridForm {
  bool asymmetric = false;   // the rows have zero points
  bool sum_first = false;    // sums are scaled by the weights, then by the row
  int weight = 1, bias = 2;  // inputs; a bias of -1 is none
};

// `product` multiplies int8 data by the weights, with int32 sums whose last axis has the output
// channels. Each position of the first axis of the data is quantized with a scale of its own.
absl::StatusOr<Results> HybridSums(
    OpCall& c, const SumForm& form, const Operand& data, HybridForm how,
    const std::function<Operand(const Operand& x, const Operand& weight)>& product);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_HYBRID_H_
