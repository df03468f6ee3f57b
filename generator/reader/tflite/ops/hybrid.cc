#include "generator/reader/tflite/ops/hybrid.h"

#include <cmath>

#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr double kLevels = 127;
constexpr DType kDouble = DType::Float(64);

Indices Inside(const Indices& at, const Indices& r) {
  Indices place = {at[0]};
  place.insert(place.end(), r.begin(), r.end());
  return place;
}

// By the largest magnitude of each row.
HybridRows SymmetricRows(OpCall& c, const Operand& data) {
  const Dims dims = c.DimsOf(data);
  const Dims inner(dims.begin() + 1, dims.end());
  const Operand largest = c.Kernel("row_magnitude", {data}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", {dims[0]}, inner, te.Max(kReal),
                     [&](const Indices& at, const Indices& r) {
                       return m.Call("abs", {te.At(te.Input(0), Inside(at, r))});
                     });
  });
  const Operand integers = c.Kernel("quantize_rows", {data, largest}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, DType::Int(8), [&](const Indices& at) {
      const PrimRef range = te.At(te.Input(1), {at[0]});
      return m.Cast(SymmetricInteger(m, te.At(te.Input(0), at), range), DType::Int(8));
    });
  });
  const Operand scale = c.Elementwise("row_scale", {largest}, [](ScalarMath& m, const Scalars& v) {
    return m.Div(v[0], m.Const(kLevels, kReal));
  });
  return {integers, scale, std::nullopt};
}

// x - zero of its row.
Operand WithoutRowZero(OpCall& c, const HybridRows& rows) {
  const Dims dims = c.DimsOf(rows.integers);
  return c.Kernel("without_zero", {rows.integers, *rows.zero}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, kWhole, [&](const Indices& at) {
      return m.Sub(m.Cast(te.At(te.Input(0), at), kWhole), te.At(te.Input(1), {at[0]}));
    });
  });
}

}  // namespace

HybridRows AsymmetricRows(OpCall& c, const Operand& data) {
  const Dims dims = c.DimsOf(data);
  const Dims inner(dims.begin() + 1, dims.end());
  const auto extreme = [&](absl::string_view name, bool low) {
    return c.Kernel(name, {data}, [&](Te& te) {
      ScalarMath& m = te.math();
      const BufferRef found = te.Reduce(
          "found", {dims[0]}, inner, low ? te.Min(kReal) : te.Max(kReal),
          [&](const Indices& at, const Indices& r) { return te.At(te.Input(0), Inside(at, r)); });
      return te.Compute("out", {dims[0]}, kReal, [&](const Indices& at) {
        const PrimRef value = te.At(found, at), none = m.Const(0, kReal);
        return low ? m.Min(value, none) : m.Max(value, none);
      });
    });
  };
  const Operand low = extreme("row_low", true), high = extreme("row_high", false);
  const Operand scale = c.Elementwise(
      "row_scale", {low, high},
      [](ScalarMath& m, const Scalars& v) { return AsymmetricScale(m, v[0], v[1]); }, kReal);
  const Operand zero = c.Elementwise(
      "row_zero", {low, high},
      [](ScalarMath& m, const Scalars& v) { return AsymmetricZero(m, v[0], v[1]); }, kWhole);
  const Operand integers = c.Kernel("quantize_rows", {data, scale, zero}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, DType::Int(8), [&](const Indices& at) {
      return m.Cast(AsymmetricInteger(m, te.At(te.Input(0), at), te.At(te.Input(1), {at[0]}),
                                      te.At(te.Input(2), {at[0]})),
                    DType::Int(8));
    });
  });
  return {integers, scale, zero};
}

PrimRef SymmetricInteger(ScalarMath& m, PrimRef x, PrimRef magnitude) {
  const PrimRef inverse = m.Div(m.Const(kLevels, kReal), magnitude);
  const PrimRef scaled = m.Mul(x, inverse);
  const PrimRef clipped = m.Max(m.Min(scaled, m.Const(kLevels, kReal)), m.Const(-kLevels, kReal));
  const PrimRef none = m.Const(0, kReal);
  return NearestInteger(m, m.Select(m.Eq(magnitude, none), none, clipped));
}

PrimRef AsymmetricScale(ScalarMath& m, PrimRef low, PrimRef high) {
  const PrimRef range = m.Sub(m.Cast(high, kDouble), m.Cast(low, kDouble));
  const PrimRef scale = m.Cast(m.Div(range, m.Const(255, kDouble)), kReal);
  return m.Select(m.Lt(low, high), scale, m.Const(1, kReal));
}

PrimRef AsymmetricZero(ScalarMath& m, PrimRef low, PrimRef high) {
  const auto number = [&](double value) { return m.Const(value, kDouble); };
  const PrimRef least = m.Cast(low, kDouble), most = m.Cast(high, kDouble);
  const PrimRef all = m.Select(m.Lt(low, high), m.Sub(most, least), number(1));
  const PrimRef scale = m.Div(all, number(255));
  const PrimRef below = m.Div(least, scale), above = m.Div(most, scale);
  const PrimRef from_low = m.Sub(number(-128), below), from_high = m.Sub(number(127), above);
  // The one with the smaller rounding error.
  const PrimRef nearer =
      m.Lt(m.Sub(number(128), below), m.Add(number(127), above));  // -below is a magnitude
  const PrimRef place = m.Select(nearer, from_low, from_high);
  const PrimRef clipped = m.Max(m.Min(place, number(127)), number(-128));
  const double half = std::nextafter(0.5, 0.0);
  const PrimRef away = m.Select(m.Lt(clipped, number(0)), number(-half), number(half));
  const PrimRef rounded = m.Cast(m.Add(clipped, away), kWhole);
  return m.Select(m.Lt(low, high), rounded, m.ir().Int(0, kWhole));
}

PrimRef AsymmetricInteger(ScalarMath& m, PrimRef x, PrimRef scale, PrimRef zero) {
  const PrimRef inverse = m.Div(m.Const(1, kReal), scale);
  const PrimRef moved = m.Add(m.Cast(zero, kReal), m.Mul(x, inverse));
  const PrimRef clipped = m.Max(m.Min(moved, m.Const(127, kReal)), m.Const(-128, kReal));
  return NearestInteger(m, clipped);
}

absl::StatusOr<Results> HybridSums(
    OpCall& c, const SumForm& form, const Operand& data, HybridForm how,
    const std::function<Operand(const Operand& x, const Operand& weight)>& product) {
  const HybridRows rows = how.asymmetric ? AsymmetricRows(c, data) : SymmetricRows(c, data);
  const Operand x = rows.zero ? WithoutRowZero(c, rows) : c.Cast(rows.integers, form.dtype);
  const Operand w = SubtractZeroPoint(c, c.Arg(how.weight), 0, form.dtype);
  const Operand sums = product(x, w);
  const Dims out = c.DimsOf(sums), dims = c.DimsOf(data);
  LATHE_RETURN_IF_ERROR(c.status());
  // real = sum * (scale of the row * scale of the weights) + bias
  const std::vector<double>& scales = form.scales;
  std::vector<int64_t> shape;
  if (scales.size() > 1) shape.push_back(std::ssize(scales));
  const Operand weight_scales = c.builder().Constant(kReal, shape, scales);
  if (ImportBuilder::IntOf(out[0]) != ImportBuilder::IntOf(dims[0])) {
    return c.Unsupported() << "a hybrid product that changes the batch";
  }
  const Operand made = c.Kernel("scale_rows", {sums, rows.scale, weight_scales}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", out, kReal, [&](const Indices& at) {
      const PrimRef row = te.At(te.Input(1), {at[0]});
      const PrimRef scale = te.At(te.Input(2), shape.empty() ? Indices{} : Indices{at.back()});
      const PrimRef sum = m.Cast(te.At(te.Input(0), at), kReal);
      return how.sum_first ? m.Mul(m.Mul(sum, scale), row) : m.Mul(sum, m.Mul(row, scale));
    });
  });
  return how.bias < 0 ? made : WithBias(c, made, how.bias);
}

}  // namespace lathe::tflite
