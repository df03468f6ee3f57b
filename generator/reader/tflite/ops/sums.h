// Classifies convolutions and products by the arithmetic of their sums, and finishes quantized
// sums: bias, requantization and activation.
#ifndef LATHE_READER_TFLITE_OPS_SUMS_H_
#define LATHE_READER_TFLITE_OPS_SUMS_H_

#include <cstdint>
#include <vector>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// The inputs of an operator that are data, weights and bias.
struct SumInputs {
  int data = 0, weight = 1, bias = 2;
};

enum class SumKind { kFloat, kInteger, kHybrid };

struct SumForm {
  SumKind kind = SumKind::kFloat;
  DType dtype;       // of integer sums: int32, or int64 for int16 data
  int64_t zero = 0;  // of the data
  int64_t weight_zero = 0;
  bool rounded_once = false;   // int32 sums, by the whole mantissa of the factor
  bool float_factors = false;  // the product of the scales of data and weights is a float32
  std::vector<double> scales;  // of the weights: one, or one per output channel
};

// Returns the form of an operator with data, weights and an optional bias. `weight_axis` is the
// axis of the weights with the `columns` output channels. Reports combinations of types that no
// kernel of TFLite has, integers without a scale, and other numbers or axes of scales.
absl::StatusOr<SumForm> SumFormOf(OpCall& c, int weight_axis, int64_t columns,
                                  const SumInputs& inputs = {});

// Adds bias input `i`, if present, along the last axis.
Operand WithBias(OpCall& c, const Operand& sums, int i);

// Adds the bias, converts the sums to the integers of the result and applies the activation. `axis`
// is the axis of output channels in the result; `bias` and `data` are inputs. Reports a bias that
// is not one integer for each channel, scales that are not positive, and factors of 2^14 or more.
absl::StatusOr<Results> FinishSums(OpCall& c, const SumForm& form, const Operand& sums, int bias,
                                   int axis, int64_t activation, int data = 0);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_SUMS_H_
