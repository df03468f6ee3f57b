#include "generator/reader/relax_text/elaboration/scalar_types.h"

#include <cmath>

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::TypeCode;

// Returns the conversion rank: the operand of the lower rank is converted to the type of the other
// one. Rank 0 has no common type with other types.
int Rank(DType t) {
  if (t.is_bool()) return 1;
  if (t.is_integer()) return 2;
  switch (t.code) {
    case TypeCode::kFloat4E2M1Fn:
      return 3;
    case TypeCode::kFloat6E2M3Fn:
    case TypeCode::kFloat6E3M2Fn:
      return 4;
    case TypeCode::kBFloat:
      return 6;
    case TypeCode::kFloat:
      return 7;
    default:
      return t.is_floating() ? 5 : 0;
  }
}

std::optional<DType> CommonElement(DType a, DType b) {
  if (a == b) return a;
  const int rank_a = Rank(a);
  const int rank_b = Rank(b);
  if (rank_a == 0 || rank_b == 0) return std::nullopt;
  if (rank_a != rank_b) return rank_a > rank_b ? a : b;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  // Of two integers of the same width, the unsigned one. Small floats of the same width differ in
  // format and have no common type.
  if (a.is_integer()) return a.is_uint() ? a : b;
  return std::nullopt;
}

}  // namespace

bool FitsIn(DType dtype, absl::int128 value) {
  if (dtype.is_bool()) return value == 0 || value == 1;
  if (!dtype.is_integer()) return true;
  const int bits = dtype.bits < 64 ? dtype.bits : 64;
  if (dtype.is_uint()) return value >= 0 && value < (absl::int128(1) << bits);
  const absl::int128 half = absl::int128(1) << (bits - 1);
  return value >= -half && value < half;
}

ir::PrimRef MakeNumber(ir::Context& context, DType dtype, absl::int128 value) {
  if (!dtype.is_scalar()) {
    const ir::PrimRef element = MakeNumber(context, dtype.element(), value);
    return element == nullptr ? nullptr : context.Make(dtype, ir::Broadcast{element});
  }
  if (dtype.is_floating()) return context.Float(static_cast<double>(value), dtype);
  if (!FitsIn(dtype, value)) return nullptr;
  if (!dtype.is_integer() && !dtype.is_bool()) return nullptr;
  return context.Int(static_cast<int64_t>(static_cast<uint64_t>(value)), dtype);
}

ir::PrimRef MakeNumber(ir::Context& context, DType dtype, double value) {
  if (!dtype.is_scalar()) {
    const ir::PrimRef element = MakeNumber(context, dtype.element(), value);
    return element == nullptr ? nullptr : context.Make(dtype, ir::Broadcast{element});
  }
  if (dtype.is_floating()) return context.Float(value, dtype);
  if (!std::isfinite(value) || std::abs(value) >= std::ldexp(1.0, 64)) return nullptr;
  return MakeNumber(context, dtype, absl::int128(std::trunc(value)));
}

ir::PrimRef Convert(ir::Context& context, DType dtype, ir::PrimRef e) {
  if (e->dtype() == dtype) return e;
  if (dtype.lanes != e->dtype().lanes && e->dtype().is_scalar()) {
    const ir::PrimRef element = Convert(context, dtype.element(), e);
    return context.Make(dtype, ir::Broadcast{element});
  }
  ir::PrimRef converted = nullptr;
  if (const auto* number = e->As<ir::IntImm>()) {
    const absl::int128 value = e->dtype().is_uint()
                                   ? absl::int128(static_cast<uint64_t>(number->value))
                                   : absl::int128(number->value);
    converted = MakeNumber(context, dtype, value);
  } else if (const auto* real = e->As<ir::FloatImm>(); real != nullptr && dtype.is_floating()) {
    converted = MakeNumber(context, dtype, real->value);
  }
  return converted != nullptr ? converted : context.MakeCast(dtype, e);
}

std::optional<DType> CommonType(DType a, DType b) {
  if (a == b) return a;
  int lanes = a.lanes;
  if (a.lanes != b.lanes) {
    if (a.lanes != 1 && b.lanes != 1) return std::nullopt;
    lanes = a.lanes == 1 ? b.lanes : a.lanes;
  }
  const std::optional<DType> element = CommonElement(a.element(), b.element());
  if (!element) return std::nullopt;
  return element->with_lanes(lanes);
}

bool MatchTypes(ir::Context& context, ir::PrimRef& a, ir::PrimRef& b) {
  if (a->dtype() == b->dtype()) return true;
  const std::optional<DType> shared = CommonType(a->dtype(), b->dtype());
  if (!shared) return false;
  a = Convert(context, *shared, a);
  b = Convert(context, *shared, b);
  return true;
}

}  // namespace lathe::relax_text
