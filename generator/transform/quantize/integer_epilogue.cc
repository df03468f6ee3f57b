#include "generator/transform/quantize/integer_epilogue.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lathe::transform {

using ir::DType;
using ir::PrimRef;

std::optional<IntegerEpilogue> IntegerEpilogue::Make(std::vector<double> factors,
                                                     const std::vector<int64_t>& bounds,
                                                     const RealOperator& op,
                                                     const RequiredResult& wanted) {
  IntegerEpilogue made;
  made.real_ = !wanted.affine;
  made.lo_ = op.lo;
  made.hi_ = op.hi;
  if (wanted.affine) {
    for (double& factor : factors) factor /= wanted.affine->scale;
    made.range_ = RangeOf(op, *wanted.affine);
    const auto fixed = FixedPointOf(factors, bounds, made.range_);
    if (!fixed) return std::nullopt;
    made.fixed_ = *fixed;
  }
  if (std::all_of(factors.begin(), factors.end(), [&](double f) { return f == factors[0]; })) {
    factors.resize(1);
    auto& multipliers = made.fixed_.multipliers;
    if (multipliers.size() > 1) multipliers.erase(multipliers.begin() + 1, multipliers.end());
  }
  made.factors_ = std::move(factors);
  return made;
}

IntegerEpilogue IntegerEpilogue::MakeTwice(std::vector<ops::FixedFactor> factors,
                                           const IntegerResult& range) {
  IntegerEpilogue made;
  made.range_ = range;
  for (ops::FixedFactor& factor : factors) {
    if (factor.mantissa == 0) factor.shift = -1;  // any shift of 0
  }
  const auto same = [&](const ops::FixedFactor& f) {
    return f.mantissa == factors[0].mantissa && f.shift == factors[0].shift;
  };
  if (std::all_of(factors.begin(), factors.end(), same)) factors.resize(1);
  made.twice_ = std::move(factors);
  return made;
}

std::optional<IntegerEpilogue::Parameter> IntegerEpilogue::parameter() const {
  if (factors_.size() <= 1) return std::nullopt;
  return Parameter{real_ ? "scales" : "multipliers", static_cast<int64_t>(factors_.size()),
                   real_ ? DType::Float(32) : DType::Int(32)};
}

void IntegerEpilogue::Declare(KernelBuilder& k) {
  if (twice_.size() > 1) {
    const int64_t columns = std::ssize(twice_);
    parameter_ = k.Input("multipliers", {columns}, DType::Int(32));
    shifts_ = k.Input("shifts", {columns}, DType::Int(8));
  }
  if (const auto p = parameter()) parameter_ = k.Input(p->name, {p->columns}, p->dtype);
}

void IntegerEpilogue::AddArgument(IntegerGraph& graph, std::vector<ir::Operand>& args) const {
  if (twice_.size() > 1) {
    std::vector<int64_t> mantissas, shifts;
    for (const ops::FixedFactor& factor : twice_) {
      mantissas.push_back(factor.mantissa);
      shifts.push_back(GoesRight() ? -factor.shift : factor.shift);
    }
    args.push_back(graph.Constant(DType::Int(32), {std::ssize(twice_)}, mantissas));
    args.push_back(graph.Constant(DType::Int(8), {std::ssize(twice_)}, shifts));
    return;
  }
  if (factors_.size() <= 1) return;
  const std::vector<int64_t> dims = {static_cast<int64_t>(factors_.size())};
  args.push_back(real_ ? graph.RealConstantOf(dims, factors_)
                       : graph.Constant(DType::Int(32), dims, fixed_.multipliers));
}

bool IntegerEpilogue::GoesRight() const {
  return std::all_of(twice_.begin(), twice_.end(),
                     [](const ops::FixedFactor& f) { return f.shift < 0; });
}

std::optional<int64_t> IntegerEpilogue::ResultOf(int64_t sum, int64_t column) const {
  using Sums = std::numeric_limits<int32_t>;
  if (twice_.empty() || sum < Sums::min() || sum > Sums::max()) return std::nullopt;
  const ops::FixedFactor& factor = twice_[twice_.size() == 1 ? 0 : static_cast<size_t>(column)];
  if (factor.shift > 0) return std::nullopt;
  const int64_t high = (sum * factor.mantissa + (int64_t{1} << 30)) >> 31;
  // Halves are rounded away from zero.
  const int64_t half = factor.shift == 0 ? 0 : int64_t{1} << (-factor.shift - 1);
  const int64_t scaled = (high + half - (high < 0 && factor.shift < 0 ? 1 : 0)) >> -factor.shift;
  return std::clamp(scaled + range_.zero, range_.lo, range_.hi);
}

void IntegerEpilogue::Keep(const std::vector<int64_t>& columns) {
  if (twice_.size() <= 1) return;
  std::vector<ops::FixedFactor> kept;
  for (int64_t c : columns) kept.push_back(twice_[static_cast<size_t>(c)]);
  *this = MakeTwice(std::move(kept), range_);
}

PrimRef IntegerEpilogue::Twice(KernelBuilder& k, PrimRef acc, PrimRef column) const {
  ops::ScalarMath& m = k.math();
  PrimRef scaled = nullptr;
  if (twice_.size() == 1) {
    scaled = ops::ScaledTwice(m, acc, twice_[0]);
  } else {
    const PrimRef mantissa = k.At(parameter_, column), shift = k.At(shifts_, column);
    scaled = GoesRight() ? ops::ScaledRight(m, acc, mantissa, shift)
                         : ops::ScaledTwice(m, acc, mantissa, shift);
  }
  const PrimRef value = k.s().Let("scaled", scaled);
  const DType whole = DType::Int(32);
  const PrimRef clipped =
      ops::ClippedTo(m, value, range_.lo - range_.zero, range_.hi - range_.zero, whole);
  return m.Cast(m.Add(clipped, m.ir().Int(range_.zero, whole)), range_.dtype);
}

PrimRef IntegerEpilogue::Of(KernelBuilder& k, PrimRef acc, PrimRef column) const {
  if (!twice_.empty()) return Twice(k, acc, column);
  return Of(k.s(), k.math(), acc, parameter_ == nullptr ? nullptr : k.At(parameter_, column));
}

PrimRef IntegerEpilogue::Of(ops::Statements& s, ops::ScalarMath& m, PrimRef acc,
                            PrimRef factor) const {
  if (!real_) {
    if (factor == nullptr) factor = m.ir().Int(fixed_.multipliers[0], DType::Int(32));
    return Requantized(s, m, acc, factor, fixed_.shift, range_);
  }
  const DType real = DType::Float(32);
  if (factor == nullptr) factor = m.Const(factors_[0], real);
  PrimRef value = m.Mul(m.Cast(acc, real), factor);
  if (std::isfinite(lo_)) value = m.Max(value, m.Const(lo_, real));
  if (std::isfinite(hi_)) value = m.Min(value, m.Const(hi_, real));
  return value;
}

}  // namespace lathe::transform
