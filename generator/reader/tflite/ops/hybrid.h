// Emits products of float data with integer weights: the data are quantized at run time, one scale
// per batch row.
#ifndef LATHE_READER_TFLITE_OPS_HYBRID_H_
#define LATHE_READER_TFLITE_OPS_HYBRID_H_

#include <functional>
#include <optional>

#include "generator/reader/tflite/ops/sums.h"

namespace lathe::tflite {

// Quantizes a value of a row that has no zero point to an int32 from -127 to 127. `magnitude` is
// the largest magnitude of the row.
PrimRef SymmetricInteger(ScalarMath& m, PrimRef x, PrimRef magnitude);
// Returns the scale of a row that has a zero point. Its values go from `low` to `high`; 0 counts as
// one of them. A row of zeros has scale 1.
PrimRef AsymmetricScale(ScalarMath& m, PrimRef low, PrimRef high);
// Returns the zero point of the same row.
PrimRef AsymmetricZero(ScalarMath& m, PrimRef low, PrimRef high);
// Quantizes a value of the same row to an int32 from -128 to 127.
PrimRef AsymmetricInteger(ScalarMath& m, PrimRef x, PrimRef scale, PrimRef zero);

// The rows of data as integers: real = (integer - zero) * scale, with a scale and a zero point per
// row. Symmetric rows have no zero points.
struct HybridRows {
  Operand integers, scale;
  std::optional<Operand> zero;
};
// Quantizes rows, by the least and the largest value of each, of which 0 is one.
HybridRows AsymmetricRows(OpCall& c, const Operand& data);

struct HybridForm {
  bool asymmetric = false;   // the rows have zero points
  bool sum_first = false;    // sums are scaled by the weights, then by the row
  int weight = 1, bias = 2;  // inputs; a bias of -1 is none
};

// Returns the float32 product of `data` with the weights, with the bias. `product` multiplies the
// quantized data by the weights; the last axis of its sums has the output channels. Each position
// of the first axis of the data is quantized with a scale of its own. Reports an error if the
// product changes the size of this axis.
absl::StatusOr<Results> HybridSums(
    OpCall& c, const SumForm& form, const Operand& data, HybridForm how,
    const std::function<Operand(const Operand& x, const Operand& weight)>& product);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_HYBRID_H_
