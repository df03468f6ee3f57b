#include "generator/reader/tflite/ops/hybrid.h"

#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr double kLevels = 127;

}  // namespace

absl::StatusOr<Results> HybridSums(
    OpCall& c, const SumForm& form, const Operand& data,
    const std::function<Operand(const Operand& x, const Operand& weight)>& product) {
  const Dims dims = c.DimsOf(data);
  const Dims inner(dims.begin() + 1, dims.end());
  // The largest magnitude of each batch row.
  const Operand largest = c.Kernel("row_magnitude", {data}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", {dims[0]}, inner, te.Max(kReal),
                     [&](const Indices& at, const Indices& r) {
                       Indices place = {at[0]};
                       place.insert(place.end(), r.begin(), r.end());
                       return m.Call("abs", {te.At(te.Input(0), place)});
                     });
  });
  const Operand integers = c.Kernel("quantize_rows", {data, largest}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, DType::Int(8), [&](const Indices& at) {
      const PrimRef range = te.At(te.Input(1), {at[0]});
      const PrimRef inverse = m.Div(m.Const(kLevels, kReal), range);
      const PrimRef scaled = m.Mul(te.At(te.Input(0), at), inverse);
      const PrimRef clipped =
          m.Max(m.Min(scaled, m.Const(kLevels, kReal)), m.Const(-kLevels, kReal));
      const PrimRef real = m.Select(m.Eq(range, m.Const(0, kReal)), m.Const(0, kReal), clipped);
      return m.Cast(NearestInteger(m, real), DType::Int(8));
    });
  });
  const Operand x = c.Cast(integers, form.dtype);
  const Operand w = SubtractZeroPoint(c, c.Arg(1), 0, form.dtype);
  const Operand sums = product(x, w);
  // real = sum * (scale of the row * scale of the weights) + bias
  const std::vector<double>& scales = form.scales;
  std::vector<int64_t> shape;
  if (scales.size() > 1) shape.push_back(std::ssize(scales));
  const Operand weight_scales = c.builder().Constant(kReal, shape, scales);
  const Dims out = c.DimsOf(sums);
  const bool rows = ImportBuilder::IntOf(out[0]) == ImportBuilder::IntOf(dims[0]);
  if (!rows) return c.Unsupported() << "a hybrid product that changes the batch";
  const Operand made = c.Kernel("scale_rows", {sums, largest, weight_scales}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", out, kReal, [&](const Indices& at) {
      const PrimRef row = m.Div(te.At(te.Input(1), {at[0]}), m.Const(kLevels, kReal));
      const PrimRef scale = te.At(te.Input(2), shape.empty() ? Indices{} : Indices{at.back()});
      return m.Mul(m.Cast(te.At(te.Input(0), at), kReal), m.Mul(row, scale));
    });
  });
  return WithBias(c, made, 2);
}

}  // namespace lathe::tflite
