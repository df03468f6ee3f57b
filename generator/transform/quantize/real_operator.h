// Matches a float operator between R.dequantize and R.quantize, with its bias and activation, for
// rewriting to integers.
//
//   x = R.dequantize(...)   w = R.dequantize(constant)
//   lv = R.nn.conv2d(x, w)          core
//   lv1 = R.add(lv, bias)           bias
//   lv2 = R.nn.relu(lv1)            lo = 0
//   y = R.quantize(lv2, ...)
#ifndef LATHE_TRANSFORM_QUANTIZE_REAL_OPERATOR_H_
#define LATHE_TRANSFORM_QUANTIZE_REAL_OPERATOR_H_

#include <limits>
#include <optional>
#include <vector>

#include "generator/transform/quantize/fixed_point.h"
#include "generator/transform/quantize/integer_graph.h"

namespace lathe::transform {

struct RealOperator {
  const ir::Call* core = nullptr;
  ir::Operand value;                // the result of the core
  std::optional<ir::Operand> bias;  // of a product: constant real numbers that are added to it
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
};

// The required result: small integers, or, without `affine`, real numbers.
struct RequiredResult {
  std::vector<int64_t> dims;
  std::optional<Affine> affine;

  ir::DType dtype() const { return affine ? affine->dtype : ir::DType::Float(32); }
};

// Returns the core operator of `value`, and the bias and the clamps after it. Up to 8 clamps are
// merged. Returns nullopt when `value` is not computed by an operator.
std::optional<RealOperator> RealOperatorOf(const IntegerGraph& graph, const ir::Operand& value);

// Returns the range of integers of the result.
IntegerResult RangeOf(const RealOperator& op, const Affine& affine);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_REAL_OPERATOR_H_
