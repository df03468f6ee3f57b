#include "generator/schedule/cuda/attention_scale.h"

#include <cmath>
#include <limits>
#include <optional>

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Evaluates `e` in float32 as the kernel does. Returns nullopt if it is not constant.
std::optional<float> Constant(PrimRef e) {
  if (const auto* number = e->As<ir::FloatImm>()) return static_cast<float>(number->value);
  if (const auto* call = e->As<ir::Intrinsic>()) {
    if (call->name != "sqrt" || call->args.size() != 1) return std::nullopt;
    const auto of = Constant(call->args[0]);
    return of ? std::optional(std::sqrt(*of)) : std::nullopt;
  }
  const auto* two = e->As<ir::Binary>();
  if (two == nullptr || (two->op != BinaryOp::kMul && two->op != BinaryOp::kDiv)) {
    return std::nullopt;
  }
  const auto a = Constant(two->lhs), b = Constant(two->rhs);
  if (!a || !b) return std::nullopt;
  return two->op == BinaryOp::kMul ? *a * *b : *a / *b;
}

// Also if it is multiplied by log2(e), about 1.44.
bool IsAboveZero(PrimRef e) {
  const auto scale = Constant(e);
  return scale && *scale >= std::numeric_limits<float>::min() && *scale < 1e38F;
}

}  // namespace

PrimRef ScaleOf(const ir::Attention& attention) {
  const auto is_sum = [&](PrimRef e) {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == attention.sum;
  };
  const auto* product = attention.score->As<ir::Binary>();
  if (attention.sum->dtype != ir::DType::Float(32) || product == nullptr ||
      product->op != BinaryOp::kMul || is_sum(product->lhs) == is_sum(product->rhs)) {
    return nullptr;
  }
  const PrimRef scale = is_sum(product->lhs) ? product->rhs : product->lhs;
  return IsAboveZero(scale) ? scale : nullptr;
}

}  // namespace lathe::schedule
