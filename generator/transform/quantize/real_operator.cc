#include "generator/transform/quantize/real_operator.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"

namespace lathe::transform {
namespace {

using ir::Operand;

// The maximum length of a chain of clamping operators that is merged; each of them walks the chain
// again.
constexpr int kMaxClamps = 8;

// The range that one operator clamps to: R.clip(x, 0, 6).
struct Clamp {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  size_t data = 0;  // the operand that is clamped
};

std::optional<double> NumberOf(const IntegerGraph& graph, const Operand& operand) {
  if (const auto* prim = operand.As<ir::PrimValue>()) {
    if (const auto* real = prim->value->As<ir::FloatImm>()) return real->value;
    if (const auto* whole = prim->value->As<ir::IntImm>()) return static_cast<double>(whole->value);
    return std::nullopt;
  }
  if (operand.As<ir::ConstantId>() == nullptr && operand.As<ir::ValueId>() == nullptr) {
    return std::nullopt;
  }
  const auto constant = graph.NumbersOf(operand);
  if (!constant || constant->values.size() != 1) return std::nullopt;
  return constant->values[0];
}

std::optional<Clamp> ClampOf(const IntegerGraph& graph, const ir::Call& call) {
  const absl::string_view name = call.op()->name;
  if (name == "relax.nn.relu") return Clamp{.lo = 0};
  if (name == "relax.nn.relu6") return Clamp{0, 6};
  const bool both = name == "relax.clip";
  if (!both && name != "relax.maximum" && name != "relax.minimum") return std::nullopt;
  auto first = NumberOf(graph, call.args[1]);
  size_t data = 0;
  if (!first && !both) {
    first = NumberOf(graph, call.args[0]);
    data = 1;
  }
  if (!first || std::isnan(*first)) return std::nullopt;
  if (name == "relax.maximum") return Clamp{.lo = *first, .data = data};
  if (name == "relax.minimum") return Clamp{.hi = *first, .data = data};
  const auto second = NumberOf(graph, call.args[2]);
  if (!second || std::isnan(*second)) return std::nullopt;
  return Clamp{*first, *second};
}

bool IsProduct(const ir::Call* call) {
  return call != nullptr && (call->op()->name == "relax.matmul" ||
                             absl::StartsWith(call->op()->name, "relax.nn.conv"));
}

}  // namespace

std::optional<RealOperator> RealOperatorOf(const IntegerGraph& graph, const Operand& value) {
  RealOperator op;
  op.value = value;
  op.core = graph.CallOf(value);
  for (int clamps = 0; op.core != nullptr && clamps < kMaxClamps; ++clamps) {
    const std::optional<Clamp> clamp = ClampOf(graph, *op.core);
    if (!clamp) break;
    // This operator precedes those visited, which clamp its bounds too.
    const double lo = std::min(std::max(clamp->lo, op.lo), op.hi);
    op.hi = std::min(std::max(clamp->hi, op.lo), op.hi);
    op.lo = lo;
    // The first operator may be a clamp as well.
    const Operand data = op.core->args[clamp->data];
    const ir::Call* before = graph.CallOf(data);
    if (before == nullptr) break;
    op.value = data;
    op.core = before;
  }
  if (op.core == nullptr) return std::nullopt;
  if (op.core->op()->name == "relax.add" && IsProduct(graph.CallOf(op.core->args[0]))) {
    op.bias = op.core->args[1];
    op.value = op.core->args[0];
    op.core = graph.CallOf(op.value);
  }
  return op;
}

IntegerResult RangeOf(const RealOperator& op, const Affine& affine) {
  const int bits = affine.dtype.bits;
  const bool is_signed = affine.dtype.is_int();
  const double lowest = is_signed ? -std::ldexp(1, bits - 1) : 0;
  const double highest = is_signed ? std::ldexp(1, bits - 1) - 1 : std::ldexp(1, bits) - 1;
  const auto integer = [&](double real) {
    const double q = std::nearbyint(real / affine.scale) + static_cast<double>(affine.zero);
    return static_cast<int64_t>(std::min(std::max(q, lowest), highest));
  };
  return {affine.dtype, affine.zero, integer(op.lo), integer(op.hi)};
}

}  // namespace lathe::transform
