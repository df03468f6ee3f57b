// Imports RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR. The positions of the inputs of each row and
// column of the result are computed here and become tables.
#include <algorithm>
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Limits the tables, which have an entry per row and column: a small file can declare a large size.
constexpr int64_t kMaxSide = 1 << 16;

struct ResizeForm {
  int64_t in[2] = {}, out[2] = {};  // height and width
  bool align = false, half = false;
};

absl::StatusOr<ResizeForm> ResizeFormOf(OpCall& c) {
  const std::vector<int64_t>&from = c.In(0).shape, &to = c.Out().shape;
  if (from.size() != 4 || to.size() != 4) return c.Error() << "images must have 4 dimensions";
  if (c.In(0).type != c.Out().type) return c.Error() << "data and result have different types";
  ResizeForm form;
  form.align = c.Int("align_corners") != 0;
  form.half = c.Int("half_pixel_centers") != 0;
  for (size_t i = 0; i < 2; ++i) {
    form.in[i] = from[i + 1];
    form.out[i] = to[i + 1];
    if (form.in[i] <= 0 || form.out[i] <= 0) return c.Error() << "an image is empty";
    if (form.in[i] > kMaxSide || form.out[i] > kMaxSide) {
      return c.Limit() << "an image has more than " << kMaxSide << " rows or columns";
    }
  }
  return form;
}

Operand Table(OpCall& c, const std::vector<double>& values, DType dtype) {
  return c.builder().Constant(dtype, {std::ssize(values)}, values);
}

// The two positions of an axis that each result lies between, and its distance from the first.
struct Between {
  std::vector<double> low, high, distance;
};

Between RealBetween(const ResizeForm& form, size_t axis) {
  const int64_t in = form.in[axis], out = form.out[axis];
  float scale = static_cast<float>(in) / static_cast<float>(out);
  if (form.align && out > 1) scale = static_cast<float>(in - 1) / static_cast<float>(out - 1);
  Between b;
  for (int64_t i = 0; i < out; ++i) {
    const auto at = static_cast<float>(i);
    const float place = form.half ? (at + 0.5F) * scale - 0.5F : at * scale;
    const auto low = std::max<int64_t>(static_cast<int64_t>(std::floor(place)), 0);
    b.low.push_back(static_cast<double>(low));
    b.high.push_back(
        static_cast<double>(std::min<int64_t>(static_cast<int64_t>(std::ceil(place)), in - 1)));
    b.distance.push_back(static_cast<double>(place - static_cast<float>(low)));
  }
  return b;
}

constexpr int64_t kUnit = 1 << 10;  // of distances of integers

Between IntegerBetween(const ResizeForm& form, size_t axis) {
  const int64_t in = form.in[axis], out = form.out[axis];
  int64_t scale = (kUnit * in + out / 2) / out;
  if (form.align && out > 1) scale = (kUnit * (in - 1) + (out - 1) / 2) / (out - 1);
  Between b;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t place = form.half ? i * scale + scale / 2 - kUnit / 2 : i * scale;
    const int64_t low = std::max<int64_t>(place / kUnit, 0);
    b.low.push_back(static_cast<double>(low));
    b.high.push_back(static_cast<double>(std::min<int64_t>((place + kUnit - 1) / kUnit, in - 1)));
    b.distance.push_back(static_cast<double>(place - kUnit * low));
  }
  return b;
}

}  // namespace

absl::StatusOr<Results> ImportResizeBilinear(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const ResizeForm form, ResizeFormOf(c));
  if (form.align && form.half) return c.Error() << "it has aligned corners and half pixels";
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const bool whole = dtype == DType::Int(8) || dtype == DType::Int(16);
  if (!whole && !dtype.is_floating() && dtype != DType::UInt(8)) {
    return c.Unsupported() << "RESIZE_BILINEAR of " << TypeName(c.In(0).type)
                           << "; supported are float32, int8, uint8 and int16";
  }
  const Between y = whole ? IntegerBetween(form, 0) : RealBetween(form, 0);
  const Between v = whole ? IntegerBetween(form, 1) : RealBetween(form, 1);
  const DType number = whole ? kWide : kReal;
  const Operands args = {x,
                         Table(c, y.low, kWhole),
                         Table(c, y.high, kWhole),
                         Table(c, y.distance, whole ? kWhole : kReal),
                         Table(c, v.low, kWhole),
                         Table(c, v.high, kWhole),
                         Table(c, v.distance, whole ? kWhole : kReal)};
  return c.Kernel("resize_bilinear", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.OutDims(), dtype, [&](const Indices& at) {
      const auto place = [&](int table, PrimRef i) {
        return m.Cast(te.At(te.Input(table), {i}), kWide);
      };
      const auto tap = [&](int row, int column) {
        const PrimRef from =
            te.At(te.Input(0), {at[0], place(row, at[1]), place(column, at[2]), at[3]});
        return m.Cast(from, number);
      };
      const PrimRef unit = m.Const(whole ? kUnit : 1, number);
      const PrimRef dy = m.Cast(te.At(te.Input(3), {at[1]}), number);
      const PrimRef dx = m.Cast(te.At(te.Input(6), {at[2]}), number);
      const PrimRef ey = m.Sub(unit, dy), ex = m.Sub(unit, dx);
      const auto part = [&](int row, int column, PrimRef wy, PrimRef wx) {
        return m.Mul(m.Mul(tap(row, column), wy), wx);
      };
      const PrimRef sum =
          m.Add(m.Add(m.Add(part(1, 4, ey, ex), part(2, 4, dy, ex)), part(1, 5, ey, dx)),
                part(2, 5, dy, dx));
      if (dtype == DType::UInt(8)) return m.Cast(m.Add(sum, m.Const(0.5, kReal)), dtype);
      if (!whole) return sum;
      const PrimRef half = m.Int(kUnit * kUnit / 2);
      const PrimRef lifted = m.Select(m.Lt(m.Int(0), sum), m.Add(sum, half), m.Sub(sum, half));
      return m.Cast(m.Binary(ir::BinaryOp::kDiv, lifted, m.Int(kUnit * kUnit)), dtype);
    });
  });
}

absl::StatusOr<Results> ImportResizeNearestNeighbor(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const ResizeForm form, ResizeFormOf(c));
  const Operand x = c.Arg(0);
  std::vector<double> places[2];
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t in = form.in[axis], out = form.out[axis];
    float scale = static_cast<float>(in) / static_cast<float>(out);
    if (form.align && out > 1) scale = static_cast<float>(in - 1) / static_cast<float>(out - 1);
    for (int64_t i = 0; i < out; ++i) {
      const float place = (static_cast<float>(i) + (form.half ? 0.5F : 0.0F)) * scale;
      const auto rounded = static_cast<int64_t>(form.align ? std::round(place) : std::floor(place));
      places[axis].push_back(static_cast<double>(std::clamp<int64_t>(rounded, 0, in - 1)));
    }
  }
  return c.Kernel(
      "resize_nearest", {x, Table(c, places[0], kWhole), Table(c, places[1], kWhole)}, [&](Te& te) {
        ScalarMath& m = te.math();
        return te.Compute("out", c.OutDims(), c.TypeOf(x), [&](const Indices& at) {
          return te.At(te.Input(0), {at[0], m.Cast(te.At(te.Input(1), {at[1]}), kWide),
                                     m.Cast(te.At(te.Input(2), {at[2]}), kWide), at[3]});
        });
      });
}

}  // namespace lathe::tflite
