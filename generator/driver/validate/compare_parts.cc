#include "generator/driver/validate/compare_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"

namespace lathe::driver {
namespace {

// Returns the relative error of one rounding; 0 for formats of more than 16 bits.
double RoundingOf(ir::DType t) {
  if (t.code == ir::TypeCode::kBFloat) return 1.0 / 128;
  if (t.bits == 16) return 1.0 / 1024;
  return t.bits < 16 ? 1.0 / 4 : 0;
}

// Returns the stored dtype: a scalar of a small float format is passed as a C float.
ir::DType StoredAs(const PartBytes& part) {
  const bool carried = part.shape.empty() && part.dtype.is_floating() && part.bytes.size() == 4;
  return carried ? ir::DType::Float(32) : part.dtype;
}

// The distance of two integers. That of their doubles can be 0.
double IntegerDistance(ir::DType t, interp::Bits x, interp::Bits y) {
  const bool above = t.is_int() ? static_cast<int64_t>(x) > static_cast<int64_t>(y) : x > y;
  return static_cast<double>(above ? x - y : y - x);
}

// Compares the pieces of a boxed value. Element indices count through all pieces.
Difference ComparePieces(const PartBytes& wanted, const std::string& got, Tolerance tolerance) {
  Difference all;
  size_t at = 0;
  for (const PartBytes& piece : wanted.pieces) {
    const Difference d =
        CompareParts(piece, got.substr(std::min(at, got.size()), piece.bytes.size()), tolerance);
    at += piece.bytes.size();
    if (d.beyond > 0 && all.beyond == 0) all.first = all.elements + d.first;
    all.largest = std::isnan(d.largest) ? d.largest : std::max(all.largest, d.largest);
    all.beyond += d.beyond;
    all.elements += d.elements;
  }
  return all;
}

}  // namespace

double LargestOf(const PartBytes& wanted) {
  const ir::DType t = StoredAs(wanted);
  uint64_t elements = 1;
  for (int64_t dim : wanted.shape) elements *= static_cast<uint64_t>(dim);
  const auto* bytes = reinterpret_cast<const uint8_t*>(wanted.bytes.data());
  double largest = 0;
  for (uint64_t i = 0; i < elements; ++i) {
    const double size = std::fabs(interp::ToDouble(t, interp::ReadElement(bytes, t, i)));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

double UnitOf(const PartBytes& wanted) {
  constexpr double kLeft = 8;
  return std::min(1.0, kLeft * LargestOf(wanted));
}

Difference CompareParts(const PartBytes& wanted, const std::string& got, Tolerance tolerance) {
  if (!wanted.pieces.empty()) return ComparePieces(wanted, got, tolerance);
  const ir::DType t = StoredAs(wanted);
  Difference d;
  d.elements = 1;
  for (int64_t dim : wanted.shape) d.elements *= static_cast<uint64_t>(dim);
  if (got.size() < wanted.bytes.size()) {
    d.beyond = d.elements;
    d.largest = std::numeric_limits<double>::infinity();
    return d;
  }
  const auto* a = reinterpret_cast<const uint8_t*>(wanted.bytes.data());
  const auto* b = reinterpret_cast<const uint8_t*>(got.data());
  const double rounding = RoundingOf(wanted.dtype);
  const double relative = tolerance.relative + tolerance.roundings * rounding;
  const double unit = tolerance.unit_roundings > 0 && rounding > 0 ? UnitOf(wanted) : 0;
  const double absolute = tolerance.absolute + tolerance.unit_roundings * rounding * unit;
  for (uint64_t i = 0; i < d.elements; ++i) {
    const interp::Bits x = interp::ReadElement(a, t, i);
    const interp::Bits y = interp::ReadElement(b, t, i);
    if (x == y) continue;
    const double want = interp::ToDouble(t, x);
    const double have = interp::ToDouble(t, y);
    if (std::isnan(want) && std::isnan(have)) continue;
    const double real = want == have ? 0 : std::fabs(want - have);
    const double off = t.is_integer() ? IntegerDistance(t, x, y) : real;
    const bool bad = t.is_floating() ? !(off <= absolute + relative * std::fabs(want)) : true;
    d.largest = std::isnan(off) ? off : std::max(d.largest, off);
    if (bad && d.beyond++ == 0) d.first = i;
  }
  return d;
}

absl::Status CheckEqualOutputs(const std::string& first, const std::string& second) {
  if (first == second) return absl::OkStatus();
  return absl::FailedPreconditionError("the results depend on uninitialized memory");
}

}  // namespace lathe::driver
