#include "generator/analysis/arithmetic/constant_value.h"

#include <algorithm>

#include "generator/analysis/arithmetic/interval.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;

// Values beyond this have none here, so that arithmetic on them does not overflow.
constexpr int64_t kMaxConstant = int64_t{1} << 62;

std::optional<int64_t> Limited(int64_t value) {
  return value > kMaxConstant || value < -kMaxConstant ? std::nullopt : std::optional(value);
}

std::optional<int64_t> Combined(BinaryOp op, int64_t a, int64_t b) {
  int64_t value = 0;
  switch (op) {
    case BinaryOp::kAdd:
      if (__builtin_add_overflow(a, b, &value)) return std::nullopt;
      break;
    case BinaryOp::kSub:
      if (__builtin_sub_overflow(a, b, &value)) return std::nullopt;
      break;
    case BinaryOp::kMul:
      if (__builtin_mul_overflow(a, b, &value)) return std::nullopt;
      break;
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
    case BinaryOp::kFloorMod:
      if (b == 0) return std::nullopt;
      value = op == BinaryOp::kDiv        ? a / b
              : op == BinaryOp::kFloorDiv ? FloorDiv(a, b)
              : op == BinaryOp::kMod      ? a % b
                                          : FloorMod(a, b);
      break;
    case BinaryOp::kMin:
      return std::min(a, b);
    case BinaryOp::kMax:
      return std::max(a, b);
    case BinaryOp::kEq:
      return a == b;
    case BinaryOp::kNe:
      return a != b;
    case BinaryOp::kLt:
      return a < b;
    case BinaryOp::kLe:
      return a <= b;
    case BinaryOp::kGt:
      return a > b;
    case BinaryOp::kGe:
      return a >= b;
    case BinaryOp::kAnd:
      return a != 0 && b != 0;
    case BinaryOp::kOr:
      return a != 0 || b != 0;
    default:
      return std::nullopt;
  }
  return Limited(value);
}

// The value of `a` as an integer of `dtype`, where it is representable.
std::optional<int64_t> Converted(int64_t a, ir::DType dtype) {
  if (dtype.is_bool() && dtype.is_scalar()) return a;
  if (!dtype.is_integer() || !dtype.is_scalar()) return std::nullopt;
  if (dtype.bits >= 63) return dtype.is_int() || a >= 0 ? std::optional(a) : std::nullopt;
  const int64_t most = int64_t{1} << (dtype.is_int() ? dtype.bits - 1 : dtype.bits);
  return a < most && a >= (dtype.is_int() ? -most : 0) ? std::optional(a) : std::nullopt;
}

}  // namespace

std::optional<int64_t> ConstantValue(ir::PrimRef e, const ConstantValues& values) {
  const auto value = [&](ir::PrimRef part) { return ConstantValue(part, values); };
  if (const auto* n = e->As<ir::IntImm>()) return Limited(n->value);
  if (const auto it = values.find(e); it != values.end()) return Limited(it->second);
  if (const auto* n = e->As<ir::Cast>()) {
    const auto inner = value(n->value);
    return inner ? Converted(*inner, e->dtype()) : std::nullopt;
  }
  if (const auto* n = e->As<ir::Unary>()) {
    const auto inner = value(n->value);
    if (!inner) return std::nullopt;
    if (n->op == ir::UnaryOp::kNeg) return Combined(BinaryOp::kSub, 0, *inner);
    return n->op == ir::UnaryOp::kNot ? std::optional<int64_t>(*inner == 0) : std::nullopt;
  }
  if (const auto* n = e->As<ir::Select>()) {
    const auto cond = value(n->cond);
    return cond ? value(*cond != 0 ? n->if_true : n->if_false) : std::nullopt;
  }
  const auto* n = e->As<ir::Binary>();
  if (n == nullptr) return std::nullopt;
  const auto a = value(n->lhs), b = value(n->rhs);
  const auto whole = a && b ? Combined(n->op, *a, *b) : std::nullopt;
  // Arithmetic that wraps around in its dtype has no value here.
  return whole ? Converted(*whole, e->dtype()) : std::nullopt;
}

}  // namespace lathe::analysis
