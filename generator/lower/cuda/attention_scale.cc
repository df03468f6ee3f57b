#include "generator/lower/cuda/attention_scale.h"

namespace lathe::lower {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

bool IsAboveZero(PrimRef e) {
  if (const auto* number = e->As<ir::FloatImm>()) return number->value > 0;
  if (const auto* call = e->As<ir::Intrinsic>()) {
    return call->name == "sqrt" && call->args.size() == 1 && IsAboveZero(call->args[0]);
  }
  const auto* two = e->As<ir::Binary>();
  return two != nullptr && (two->op == BinaryOp::kMul || two->op == BinaryOp::kDiv) &&
         IsAboveZero(two->lhs) && IsAboveZero(two->rhs);
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

}  // namespace lathe::lower
