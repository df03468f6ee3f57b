#include "generator/reader/relay_text/ops/requantize.h"

#include <algorithm>
#include <cmath>

#include "generator/interp/data/tensor.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

const DType kSum = DType::Int(64);

std::vector<double> AllNumbers(const ir::Constant& constant) {
  std::vector<double> values(interp::CountElements(constant.shape).value_or(0));
  for (size_t k = 0; k < values.size(); ++k) {
    values[k] = interp::ToDouble(constant.dtype,
                                 interp::ReadElement(constant.bytes->data(), constant.dtype, k));
  }
  return values;
}

absl::Status RequireParameter(OpCall& c, int i, PrimRef channels, DType dtype,
                              absl::string_view what) {
  const Operand x = c.Arg(i);
  if (!c.status().ok()) return c.status();
  if (c.TypeOf(x) != dtype) {
    return c.Error() << what << " have to be " << ir::ToString(dtype) << ", not "
                     << ir::ToString(c.TypeOf(x));
  }
  const Dims dims = c.DimsOf(x);
  if (dims.size() > 1) return c.Error() << what << " have " << dims.size() << " dimensions";
  if (dims.empty() || OpCall::IntOf(dims[0]) == 1) return absl::OkStatus();
  if (channels == nullptr) return c.Error() << what << " have to be scalars";
  return RequireSize(c, dims[0], channels, what);
}

// The multiplier and the shift of one scale, or a table of them with a value per channel.
class FactorTable {
 public:
  FactorTable(OpCall& c, const std::vector<double>& from, double to, bool fixed) {
    std::vector<double> multipliers, shifts;
    for (const double scale : from) {
      const double factor = scale / to;
      const FixedPoint point = FixedPointOf(factor);
      points_.push_back(point);
      factors_.push_back(factor);
      same_.push_back(scale == to);
      multipliers.push_back(fixed ? static_cast<double>(point.multiplier) : factor);
      shifts.push_back(point.shift);
    }
    if (from.size() == 1) return;
    const std::vector<int64_t> shape = {std::ssize(from)};
    tables_.push_back(c.builder().Constant(fixed ? kSum : DType::Float(32), shape, multipliers));
    tables_.push_back(c.builder().Constant(kSum, shape, shifts));
  }

  const Operands& tables() const { return tables_; }
  bool single() const { return tables_.empty(); }
  bool all_same() const {
    return std::all_of(same_.begin(), same_.end(), [](bool s) { return s; });
  }
  const FixedPoint& point() const { return points_[0]; }
  double factor() const { return factors_[0]; }

 private:
  Operands tables_;
  std::vector<FixedPoint> points_;
  std::vector<double> factors_;
  std::vector<bool> same_;
};

PrimRef ShiftRight(ScalarMath& m, PrimRef x, PrimRef by) {
  return m.Binary(ir::BinaryOp::kShr, x, by);
}

// The same with a multiplier and a shift that are elements of tables.
PrimRef MultiplyByTable(ScalarMath& m, PrimRef x, PrimRef multiplier, PrimRef shift,
                        bool to_nearest) {
  const PrimRef up = m.Max(shift, m.Const(0, kSum));
  const PrimRef down = m.Add(m.Int(31), m.Max(m.Neg(shift), m.Const(0, kSum)));
  const PrimRef product = m.Mul(m.Binary(ir::BinaryOp::kShl, m.Cast(x, kSum), up), multiplier);
  PrimRef half = m.Binary(ir::BinaryOp::kShl, m.Const(1, kSum), m.Sub(down, m.Int(1)));
  if (to_nearest) {
    half = m.Select(m.Lt(product, m.Const(0, kSum)), m.Sub(half, m.Const(1, kSum)), half);
  }
  return ShiftRight(m, m.Add(product, half), down);
}

PrimRef RoundedReal(ScalarMath& m, PrimRef x, bool to_nearest) {
  const PrimRef half = m.Const(0.5, x->dtype());
  if (!to_nearest) return m.Call("floor", {m.Add(x, half)});
  const PrimRef size = m.Call("floor", {m.Add(m.Call("abs", {x}), half)});
  return m.Select(m.Lt(x, m.Const(0, x->dtype())), m.Neg(size), size);
}

}  // namespace

FixedPoint FixedPointOf(double factor) {
  FixedPoint point;
  if (factor == 0) return point;
  const double fraction = std::frexp(factor, &point.shift);
  point.multiplier = static_cast<int64_t>(std::round(std::ldexp(fraction, 31)));
  if (point.multiplier == int64_t{1} << 31) {
    point.multiplier /= 2;
    ++point.shift;
  }
  return point;
}

PrimRef MultiplyFixed(ScalarMath& m, PrimRef x, const FixedPoint& by, bool to_nearest) {
  constexpr int kMostShift = 31;  // beyond it nothing remains of an int32
  const int up = std::clamp(by.shift, 0, kMostShift);
  const int down = 31 + std::clamp(-by.shift, 0, kMostShift);
  const PrimRef wide = m.Cast(x, kSum);
  const PrimRef product =
      m.Mul(m.Mul(wide, m.Const(std::ldexp(1.0, up), kSum)), m.Int(by.multiplier));
  PrimRef half = m.Int(int64_t{1} << (down - 1));
  if (to_nearest) {
    half = m.Select(m.Lt(product, m.Int(0)), m.Int((int64_t{1} << (down - 1)) - 1), half);
  }
  return ShiftRight(m, m.Add(product, half), m.Int(down));
}

absl::Status RequireZeros(OpCall& c, int i, PrimRef channels) {
  return RequireParameter(c, i, channels, DType::Int(32), "zero points");
}
absl::Status RequireScales(OpCall& c, int i, PrimRef channels) {
  return RequireParameter(c, i, channels, DType::Float(32), "scales");
}

absl::StatusOr<QuantizedAs> QuantizedArgs(OpCall& c, int scale, int zero, PrimRef channels) {
  LATHE_RETURN_IF_ERROR(RequireScales(c, scale, channels));
  LATHE_RETURN_IF_ERROR(RequireZeros(c, zero, channels));
  QuantizedAs as;
  const auto numbers = c.ConstantNumbers(scale);
  if (!numbers || numbers->empty()) return c.Unsupported() << "scales that are not constants";
  as.scale = *numbers;
  as.zero = c.Arg(zero);
  if (std::any_of(as.scale.begin(), as.scale.end(), [](double s) { return !(s > 0); })) {
    return c.Error() << "a scale that is not positive";
  }
  return as;
}

std::optional<double> KnownNumber(OpCall& c, const Operand& x) {
  const auto* id = x.As<ir::ConstantId>();
  if (id == nullptr) return std::nullopt;
  const std::vector<double> values = AllNumbers(c.builder().ConstantAt(*id));
  if (values.size() != 1) return std::nullopt;
  return values[0];
}

std::optional<int64_t> KnownZero(OpCall& c, const Operand& zero) {
  const auto value = KnownNumber(c, zero);
  if (!value) return std::nullopt;
  return static_cast<int64_t>(*value);
}

bool SameQuantization(OpCall& c, const QuantizedAs& a, const QuantizedAs& b) {
  const auto x = KnownZero(c, a.zero), y = KnownZero(c, b.zero);
  return a.scale == b.scale && x && y && *x == *y;
}

PrimRef SaturatedTo(ScalarMath& m, PrimRef x, DType dtype) {
  const PrimRef low = m.Cast(m.Lowest(dtype), x->dtype()),
                high = m.Cast(m.Highest(dtype), x->dtype());
  return m.Cast(m.Max(m.Min(x, high), low), dtype);
}

Operand Saturated(OpCall& c, const Operand& x, DType dtype) {
  if (c.TypeOf(x) == dtype) return x;
  return c.Elementwise(
      "saturate", {x}, [&](ScalarMath& m, const Scalars& v) { return SaturatedTo(m, v[0], dtype); },
      dtype);
}

Operand Requantized(OpCall& c, const Operand& q, const QuantizedAs& from, const QuantizedAs& to,
                    const RequantizeOptions& options) {
  const bool fixed = options.compute_dtype == "int64";
  const DType real = options.compute_dtype == "float64" ? DType::Float(64) : DType::Float(32);
  const bool to_nearest = options.rounding == "TONEAREST";
  const FactorTable factors(c, from.scale, to.scale[0], fixed);
  Operands args = {q, from.zero, to.zero};
  args.insert(args.end(), factors.tables().begin(), factors.tables().end());
  const auto zero_from = KnownZero(c, from.zero), zero_to = KnownZero(c, to.zero);
  const Dims dims = c.DimsOf(q);
  const auto axis = static_cast<size_t>(options.axis);
  return c.Kernel("requantize", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto parameter = [&](int input, const Indices& at) {
      const size_t rank = te.Input(input)->shape.size();
      if (rank == 0) return te.At(te.Input(input), {});
      const bool one = OpCall::IntOf(te.Input(input)->shape[0]) == 1;
      return te.At(te.Input(input), {one ? m.Int(0) : at[axis]});
    };
    return te.Compute("out", dims, options.out_dtype, [&](const Indices& at) {
      const PrimRef before = zero_from ? m.Int(*zero_from) : m.Cast(parameter(1, at), kSum);
      const PrimRef after = zero_to ? m.Int(*zero_to) : m.Cast(parameter(2, at), kSum);
      PrimRef value = m.Sub(m.Cast(te.At(te.Input(0), at), kSum), before);
      if (factors.all_same()) return SaturatedTo(m, m.Add(value, after), options.out_dtype);
      if (!fixed) {
        const PrimRef factor =
            factors.single() ? m.Const(factors.factor(), real) : m.Cast(parameter(3, at), real);
        const PrimRef scaled = m.Add(m.Mul(m.Cast(value, real), factor), m.Cast(after, real));
        return SaturatedTo(m, m.Cast(RoundedReal(m, scaled, to_nearest), kSum), options.out_dtype);
      }
      value = factors.single()
                  ? MultiplyFixed(m, value, factors.point(), to_nearest)
                  : MultiplyByTable(m, value, parameter(3, at), parameter(4, at), to_nearest);
      return SaturatedTo(m, m.Add(value, after), options.out_dtype);
    });
  });
}

}  // namespace lathe::relay
