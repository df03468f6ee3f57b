#include "generator/ops/te/scalar_math.h"

#include <cmath>
#include <limits>
#include <string>

namespace lathe::ops {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;
using ir::TypeCode;

namespace {

const int64_t* IntOf(PrimRef e) {
  const auto* imm = e->As<ir::IntImm>();
  return imm == nullptr ? nullptr : &imm->value;
}

bool IsInt(PrimRef e, int64_t value) {
  const int64_t* i = IntOf(e);
  return i != nullptr && *i == value && e->dtype().is_integer();
}

// The largest finite value of a format without infinity; 0 for formats that have one.
double LargestFinite(DType dtype) {
  switch (dtype.code) {
    case TypeCode::kFloat8E4M3Fn:
      return 448;
    case TypeCode::kFloat8E4M3Fnuz:
      return 240;
    case TypeCode::kFloat8E4M3B11Fnuz:
      return 30;
    case TypeCode::kFloat8E5M2Fnuz:
      return 57344;
    case TypeCode::kFloat6E2M3Fn:
      return 7.5;
    case TypeCode::kFloat6E3M2Fn:
      return 28;
    case TypeCode::kFloat4E2M1Fn:
      return 6;
    case TypeCode::kFloat8E8M0Fnu:
      return std::ldexp(1.0, 127);
    default:
      return 0;
  }
}

bool Compares(BinaryOp op) {
  switch (op) {
    case BinaryOp::kEq:
    case BinaryOp::kNe:
    case BinaryOp::kLt:
    case BinaryOp::kLe:
    case BinaryOp::kGt:
    case BinaryOp::kGe:
      return true;
    default:
      return false;
  }
}

bool IsConstant(PrimRef e) {
  return e->As<ir::IntImm>() != nullptr || e->As<ir::FloatImm>() != nullptr;
}

// The dtype for comparing two dtypes, as in TVM: the float, the wider, the signed. Small floats do
// not represent all integers.
DType Shared(DType a, DType b) {
  if (a.is_bool() || b.is_bool()) return a.is_bool() ? b : a;
  if (a.is_floating() != b.is_floating()) {
    const DType real = a.is_floating() ? a : b;
    return real.bits < 32 ? DType::Float(32) : real;
  }
  if (a.bits != b.bits && (a.is_floating() || a.is_int() == b.is_int())) {
    return a.bits < b.bits ? b : a;
  }
  // Two different formats of equal size do not contain each other.
  if (a.is_floating()) return DType::Float(32);
  const DType with_sign = a.is_int() ? a : b, without = a.is_int() ? b : a;
  if (with_sign.bits > without.bits) return with_sign;
  return DType::Int(without.bits < 64 ? 2 * without.bits : 64);
}

// Truncates and saturates, like casts; NaN becomes 0.
int64_t Whole(double value) {
  if (value != value) return 0;
  const double bound = std::ldexp(1.0, 63);
  if (value >= bound) return std::numeric_limits<int64_t>::max();
  return value < -bound ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(value);
}

}  // namespace

PrimRef ScalarMath::Const(double value, DType dtype) {
  if (dtype.is_bool()) return context_.Bool(value != 0);
  if (dtype.is_floating()) return context_.Float(value, dtype);
  return context_.Int(Whole(value), dtype);
}

bool ScalarMath::HasInfinity(DType dtype) {
  return dtype.is_floating() && LargestFinite(dtype) == 0;
}

PrimRef ScalarMath::Lowest(DType dtype) {
  if (dtype.is_bool()) return context_.Bool(false);
  if (dtype.is_floating()) {
    const double finite = LargestFinite(dtype);
    // float8_e8m0fnu has no sign: its lowest is its smallest.
    if (dtype.code == TypeCode::kFloat8E8M0Fnu) {
      return context_.Float(std::ldexp(1.0, -127), dtype);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    return context_.Float(finite == 0 ? -infinity : -finite, dtype);
  }
  if (dtype.is_uint()) return context_.Int(0, dtype);
  return context_.Int(std::numeric_limits<int64_t>::min() >> (64 - dtype.bits), dtype);
}

PrimRef ScalarMath::Highest(DType dtype) {
  if (dtype.is_bool()) return context_.Bool(true);
  if (dtype.is_floating()) {
    const double finite = LargestFinite(dtype);
    return context_.Float(finite == 0 ? std::numeric_limits<double>::infinity() : finite, dtype);
  }
  if (dtype.is_uint()) {
    const uint64_t ones = std::numeric_limits<uint64_t>::max() >> (64 - dtype.bits);
    return context_.Int(static_cast<int64_t>(ones), dtype);
  }
  return context_.Int(std::numeric_limits<int64_t>::max() >> (64 - dtype.bits), dtype);
}

PrimRef ScalarMath::Cast(PrimRef value, DType dtype) {
  if (value->dtype() == dtype) return value;
  // Small constants have the same value in every dtype.
  const int64_t* i = IntOf(value);
  if (i != nullptr && *i >= 0 && *i < 2 && !dtype.is_bool()) {
    return Const(static_cast<double>(*i), dtype);
  }
  return context_.MakeCast(dtype, value);
}

PrimRef ScalarMath::Binary(BinaryOp op, PrimRef a, PrimRef b) {
  if (Compares(op) && a->dtype() != b->dtype() && !IsConstant(b)) {
    const DType shared = Shared(a->dtype(), b->dtype());
    return context_.Make(op, Cast(a, shared), Cast(b, shared));
  }
  return context_.Make(op, a, Cast(b, a->dtype()));
}

PrimRef ScalarMath::Add(PrimRef a, PrimRef b) {
  if (IsInt(b, 0)) return a;
  if (IsInt(a, 0) && a->dtype() == b->dtype()) return b;
  // Folds sums of constants, which may be very long.
  const int64_t *x = IntOf(a), *y = IntOf(b);
  int64_t sum = 0;
  if (x != nullptr && y != nullptr && a->dtype() == DType::Int(64) && b->dtype() == a->dtype() &&
      !__builtin_add_overflow(*x, *y, &sum)) {
    return Int(sum);
  }
  return Binary(BinaryOp::kAdd, a, b);
}
PrimRef ScalarMath::Sub(PrimRef a, PrimRef b) {
  return IsInt(b, 0) ? a : Binary(BinaryOp::kSub, a, b);
}
PrimRef ScalarMath::Mul(PrimRef a, PrimRef b) {
  if (IsInt(b, 1)) return a;
  if (IsInt(a, 1) && a->dtype() == b->dtype()) return b;
  return Binary(BinaryOp::kMul, a, b);
}
PrimRef ScalarMath::Div(PrimRef a, PrimRef b) { return Binary(BinaryOp::kDiv, a, b); }
PrimRef ScalarMath::FloorDiv(PrimRef a, PrimRef b) {
  return IsInt(b, 1) ? a : Binary(BinaryOp::kFloorDiv, a, b);
}
PrimRef ScalarMath::FloorMod(PrimRef a, PrimRef b) {
  return IsInt(b, 1) ? context_.Int(0, a->dtype()) : Binary(BinaryOp::kFloorMod, a, b);
}

PrimRef ScalarMath::And(PrimRef a, PrimRef b) {
  const PrimRef yes = context_.Bool(true);
  if (a == yes) return b;
  return b == yes ? a : Binary(BinaryOp::kAnd, a, b);
}

PrimRef ScalarMath::Select(PrimRef cond, PrimRef if_true, PrimRef if_false) {
  return context_.MakeSelect(cond, if_true, Cast(if_false, if_true->dtype()));
}

PrimRef ScalarMath::IfThenElse(PrimRef cond, PrimRef if_true, PrimRef if_false) {
  if (cond == context_.Bool(true)) return if_true;
  return context_.MakeIntrinsic(if_true->dtype(), "if_then_else",
                                {cond, if_true, Cast(if_false, if_true->dtype())});
}

PrimRef ScalarMath::Call(absl::string_view name, std::vector<PrimRef> args) {
  const DType dtype = args[0]->dtype();
  return context_.MakeIntrinsic(dtype, name, std::move(args));
}

PrimRef ScalarMath::Flatten(const std::vector<PrimRef>& indices, const std::vector<PrimRef>& dims) {
  PrimRef position = Int(0);
  for (size_t i = 0; i < indices.size(); ++i) position = Add(Mul(position, dims[i]), indices[i]);
  return position;
}

std::vector<PrimRef> ScalarMath::Unflatten(PrimRef position, const std::vector<PrimRef>& dims) {
  std::vector<PrimRef> indices(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    // The remainder is the outermost index, which is in range because the position was.
    indices[i] = i == 0 ? position : FloorMod(position, dims[i]);
    position = FloorDiv(position, dims[i]);
  }
  return indices;
}

}  // namespace lathe::ops
