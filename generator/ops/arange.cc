// Implements arange.
#include <cmath>
#include <optional>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Any two integers of this magnitude have a difference in int64.
constexpr int64_t kFar = int64_t{1} << 60;

std::optional<double> AsNumber(PrimRef e) {
  if (const auto* f = e->As<ir::FloatImm>()) return f->value;
  if (const int64_t* i = AsInt(e)) return static_cast<double>(*i);
  return std::nullopt;
}

// The number of integers start, start + step, ... before end. The sign of an unknown step is tested
// at run time.
PrimRef IntegersBefore(InferContext& c, PrimRef start, PrimRef end, PrimRef step) {
  ScalarMath m(c.ir());
  const DType wide = DType::Int(64);
  start = m.Cast(start, wide), end = m.Cast(end, wide), step = m.Cast(step, wide);
  const PrimRef zero = m.Int(0);
  // A stride greater than every distance gives one number.
  const auto walk = [&](PrimRef distance, PrimRef stride) {
    if (AsInt(stride) == nullptr) stride = m.Max(m.Min(stride, m.Int(2 * kFar)), m.Int(1));
    return m.FloorDiv(m.Sub(m.Add(distance, stride), m.Int(1)), stride);
  };
  const auto backwards = [&](PrimRef stride) {
    return AsInt(stride) != nullptr ? m.Neg(stride) : m.Neg(m.Max(stride, m.Int(-2 * kFar)));
  };
  PrimRef length = nullptr;
  if (c.ProveLessEqual(zero, step) == ir::Tri::kYes) {
    length = walk(m.Sub(end, start), step);
  } else if (c.ProveLessEqual(step, zero) == ir::Tri::kYes) {
    length = walk(m.Sub(start, end), backwards(step));
  } else {
    length = m.Select(m.Lt(step, zero), walk(m.Sub(start, end), backwards(step)),
                      walk(m.Sub(end, start), step));
  }
  // An end before the start gives an empty tensor.
  return c.Simplify(m.Max(length, zero));
}

// The number of values start, start + step, ... before end.
PrimRef ArangeLength(InferContext& c, PrimRef start, PrimRef end, PrimRef step) {
  ScalarMath m(c.ir());
  const bool integers = start->dtype().is_int() && end->dtype().is_int() && step->dtype().is_int();
  if (integers) return IntegersBefore(c, start, end, step);
  const std::optional<double> a = AsNumber(start), b = AsNumber(end), by = AsNumber(step);
  if (a.has_value() && b.has_value() && by.has_value()) {
    const double length = std::ceil((*b - *a) / *by);
    // Excludes NaN and lengths that no tensor can have.
    return m.Int(length > 0 && length < 1e15 ? static_cast<int64_t>(length) : 0);
  }
  const DType real = DType::Float(64);
  PrimRef distance = m.Sub(m.Cast(end, real), m.Cast(start, real));
  // Restricted to valid lengths before the cast, as for constants.
  PrimRef length = m.Call("ceil", {m.Div(distance, m.Cast(step, real))});
  const PrimRef none = m.Const(0, real);
  const PrimRef is_valid = m.And(m.Lt(none, length), m.Lt(length, m.Const(1e15, real)));
  return m.Cast(m.Select(is_valid, length, none), DType::Int(64));
}

// Checks that constant bounds give a finite number of elements that a tensor can have.
absl::Status NeedCountable(InferContext& c, const Call& call, const std::vector<PrimRef>& range) {
  std::vector<double> numbers;
  for (size_t i = 0; i < range.size(); ++i) {
    const std::optional<double> number = AsNumber(range[i]);
    if (!number.has_value()) return absl::OkStatus();
    numbers.push_back(*number);
    if (!std::isnan(*number)) continue;
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, static_cast<int>(i)) << " must be a number, got nan";
  }
  const double length = std::ceil((numbers[1] - numbers[0]) / numbers[2]);
  constexpr double kLimit = 1e15;
  if (length <= kLimit) return absl::OkStatus();
  return c.Error("op-argument-shape")
         << SurfaceName(call) << " must have at most 1e15 elements, got " << length;
}

// Checks that integers that may be negative are small enough for their difference to fit int64.
absl::Status NeedSmallBounds(InferContext& c, const Call& call, PrimRef start, PrimRef end) {
  if (!start->dtype().is_int() || !end->dtype().is_int()) return absl::OkStatus();
  ScalarMath m(c.ir());
  start = m.Cast(start, DType::Int(64)), end = m.Cast(end, DType::Int(64));
  const auto is_size = [&](PrimRef e) { return c.ProveLessEqual(m.Int(0), e) == ir::Tri::kYes; };
  if (is_size(start) && is_size(end)) return absl::OkStatus();
  for (PrimRef bound : {start, end}) {
    const bool above = c.CanBeAtMost(m.Int(-kFar), bound);
    if (c.CanBeAtMost(bound, m.Int(kFar)) && above) continue;
    return c.Error("op-argument-shape") << SurfaceName(call) << " must begin and end within 2^60 "
                                        << "of 0, got " << ToString(bound);
  }
  return absl::OkStatus();
}

}  // namespace

Result InferArange(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(PrimRef start, PrimArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(PrimRef end, PrimArg(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(PrimRef step, PrimArg(c, call, 2));
  const bool whole = step != nullptr && step->dtype().is_int();
  if (step != nullptr &&
      (whole ? !c.CanDiffer(step, c.ir().Int(0, step->dtype())) : AsNumber(step) == 0.0)) {
    return c.Error("op-argument-shape") << "'step' of " << SurfaceName(call) << " is 0";
  }
  if (start == nullptr || end == nullptr || step == nullptr) {
    return c.ir().Tensor(1, FindDType(call, "dtype"));
  }
  LATHE_RETURN_IF_ERROR(NeedCountable(c, call, {start, end, step}));
  LATHE_RETURN_IF_ERROR(NeedSmallBounds(c, call, start, end));
  return c.ir().Tensor(Dims{ArangeLength(c, start, end, step)}, FindDType(call, "dtype"));
}

absl::StatusOr<ir::PrimFunc> ComputeArange(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  LATHE_ASSIGN_OR_RETURN(const PrimRef start, PrimValueOf(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const PrimRef step, PrimValueOf(c, call, 2));
  // Small floats cannot represent intermediate values, so the result is rounded once.
  const bool real = start->dtype().is_floating() || step->dtype().is_floating();
  DType wide = real ? DType::Float(32) : DType::Int(64);
  for (DType dtype : {start->dtype(), step->dtype(), te.result_dtype()}) {
    if (real && dtype == DType::Float(64)) wide = dtype;
  }
  return te.Finish({te.Compute("out", te.result_dims(), te.result_dtype(), [&](const Indices& at) {
    return m.Add(m.Cast(start, wide), m.Mul(m.Cast(at[0], wide), m.Cast(step, wide)));
  })});
}

}  // namespace lathe::ops
