#include "generator/reader/onnx/extremes.h"

#include <cmath>

#include "generator/interp/data/tensor.h"

namespace lathe::onnx {
namespace {

// Returns whether `x` is a constant without NaN.
bool IsConstantNumbers(NodeCall& n, const Operand& x) {
  const std::optional<ir::Constant> constant = ConstantOf(n.import(), Term(x));
  if (!constant) return false;
  const uint64_t count = interp::CountElements(constant->shape).value_or(0);
  for (uint64_t i = 0; i < count; ++i) {
    const auto element = interp::ReadElement(constant->bytes->data(), constant->dtype, i);
    if (std::isnan(interp::ToDouble(constant->dtype, element))) return false;
  }
  return true;
}

}  // namespace

Operand Extreme(NodeCall& n, const char* op, const Operand& a, const Operand& b) {
  if (!n.TypeOf(a).is_floating() || IsConstantNumbers(n, a)) return n.Op(op, {a, b});
  if (IsConstantNumbers(n, b)) return n.Op(op, {b, a});
  return n.Op("relax.where", {n.Op("relax.isnan", {a}), a, n.Op(op, {a, b})});
}

}  // namespace lathe::onnx
