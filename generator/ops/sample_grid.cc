// Implements grid_sample and affine_grid as loop nests.
#include <string>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/te/interpolation.h"
#include "generator/ops/te/layout.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

class Sampler {
 public:
  Sampler(ScalarMath& m, const Call& call, DType dtype)
      : m_(m),
        padding_(FindString(call, "padding_mode")),
        corners_(FindBool(call, "align_corners")),
        dtype_(dtype) {}

  // -1 and 1 are the first and last element of the axis: their centres with align_corners, else
  // their outer edges.
  PrimRef Place(PrimRef along, PrimRef length) {
    const PrimRef from_start = m_.Add(m_.Cast(along, dtype_), Number(1));
    if (corners_) return m_.Div(m_.Mul(from_start, Last(length)), Number(2));
    const PrimRef scaled = m_.Div(m_.Mul(from_start, Float(length)), Number(2));
    return m_.Sub(scaled, Number(0.5));
  }

  // The position after padding; unchanged for zero padding.
  PrimRef Padded(PrimRef place, PrimRef length) {
    if (padding_ == "zeros") return place;
    if (padding_ == "reflection") place = Reflected(place, length);
    return m_.Max(m_.Min(place, Last(length)), Number(0));
  }

  // The same for an integer position: the element to read.
  PrimRef PaddedIndex(PrimRef index, PrimRef length) {
    if (padding_ == "zeros") return index;
    if (padding_ == "reflection") {
      return m_.Cast(Padded(Float(index), length), DType::Int(64));
    }
    return m_.Max(m_.Min(index, m_.Sub(length, m_.Int(1))), m_.Int(0));
  }

  PrimRef Number(double value) { return m_.Const(value, dtype_); }
  PrimRef Float(PrimRef value) { return m_.Cast(value, dtype_); }

 private:
  PrimRef Last(PrimRef length) { return m_.Sub(Float(length), Number(1)); }

  // Reflects between the centres of the first and the last element, or their outer edges.
  PrimRef Reflected(PrimRef place, PrimRef length) {
    const PrimRef start = Number(corners_ ? 0 : -0.5);
    const PrimRef span = m_.Max(corners_ ? Last(length) : Float(length), Number(kLeastSpan));
    const PrimRef away = m_.Call("abs", {m_.Sub(place, start)});
    const PrimRef turns = m_.Call("floor", {m_.Div(away, span)});
    const PrimRef rest = m_.Sub(away, m_.Mul(turns, span));
    const PrimRef half = m_.Mul(turns, Number(0.5));
    const PrimRef even = m_.Eq(m_.Call("floor", {half}), half);
    return m_.Add(m_.Select(even, rest, m_.Sub(span, rest)), start);
  }

  // An axis of one element has no span to divide by; the position is clipped to that element.
  static constexpr double kLeastSpan = 1e-6;

  ScalarMath& m_;
  std::string padding_;
  bool corners_;
  DType dtype_;
};

}  // namespace

absl::StatusOr<ir::PrimFunc> ComputeGridSample(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const std::string order = FindString(call, "layout") == "NCDHW" ? "NCDHW" : "NCHW";
  const Layout layout = *Layout::Parse(FindString(call, "layout"), order);
  const int rank = static_cast<int>(order.size()) - 2;
  const int taps = TapsOf(FindString(call, "method"));
  ir::BufferRef x = te.Input(0), grid = te.Input(1);
  const Dims image = layout.ToCanonical(m, x->shape);
  const DType dtype = x->dtype == DType::Float(64) ? x->dtype : DType::Float(32);
  Sampler sampler(m, call, dtype);
  // Cubic interpolation reads around the position, so each tap is padded.
  const auto place = [&](const Indices& at, int i) {
    Indices point = {at[0], m.Int(rank - 1 - i)};
    point.insert(point.end(), at.begin() + 2, at.end());
    const PrimRef where = sampler.Place(te.At(grid, point), image[2 + i]);
    return taps == 4 ? where : sampler.Padded(where, image[2 + i]);
  };
  const auto read = [&](const Indices& from) {
    PrimRef inside = m.ir().Bool(true);
    for (int i = 0; i < rank; ++i) {
      inside = m.And(inside, m.InRange(from[2 + i], m.Int(0), image[2 + i]));
    }
    const PrimRef value = m.Cast(te.At(x, layout.IndicesFrom(m, from)), dtype);
    return m.IfThenElse(inside, value, sampler.Number(0));
  };
  if (taps == 1) {
    return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& point) {
      const Indices at = layout.IndicesTo(m, point);
      Indices from = at;
      for (int i = 0; i < rank; ++i) {
        from[2 + i] = m.Cast(m.Call("nearbyint", {place(at, i)}), DType::Int(64));
      }
      return m.Cast(read(from), x->dtype);
    })});
  }
  constexpr double kAlpha = -0.75;
  ir::BufferRef sum =
      te.Reduce("sum", te.result_dims(), Dims(rank, m.Int(taps)), te.Sum(dtype),
                [&](const Indices& point, const Indices& r) {
                  const Indices at = layout.IndicesTo(m, point);
                  Indices from = at;
                  PrimRef weight = sampler.Number(1);
                  for (int i = 0; i < rank; ++i) {
                    const PrimRef where = place(at, i);
                    const PrimRef index = m.Add(FirstTap(m, where, taps), r[i]);
                    const PrimRef away = m.Sub(where, m.Cast(index, dtype));
                    weight = m.Mul(weight, TapWeight(m, m.Call("abs", {away}), taps, kAlpha));
                    from[2 + i] = taps == 4 ? sampler.PaddedIndex(index, image[2 + i]) : index;
                  }
                  return m.Mul(read(from), weight);
                });
  if (x->dtype == dtype) return te.Finish({sum});
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    return m.Cast(te.At(sum, at), x->dtype);
  })});
}

// For each position, as coordinates from -1 to 1: the matrix times (x, y, z, 1).
absl::StatusOr<ir::PrimFunc> ComputeAffineGrid(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef matrix = te.Input(0);
  const Dims& dims = te.result_dims();
  const int rank = static_cast<int>(dims.size()) - 2;
  const DType dtype = matrix->dtype;
  const bool corners = FindBool(call, "align_corners");
  const auto coordinate = [&](PrimRef at, PrimRef size) {
    const PrimRef place = m.Cast(at, dtype), length = m.Cast(size, dtype), one = m.Const(1, dtype),
                  two = m.Const(2, dtype);
    if (corners) {
      const PrimRef steps = m.Max(m.Sub(length, one), one);
      const PrimRef along = m.Sub(m.Div(m.Mul(two, place), steps), one);
      // A single position is the middle.
      return m.Select(m.Lt(m.Int(1), size), along, m.Const(0, dtype));
    }
    return m.Sub(m.Div(m.Add(m.Mul(two, place), one), length), one);
  };
  return te.Finish({te.Compute("out", dims, dtype, [&](const Indices& at) {
    PrimRef value = te.At(matrix, {at[0], at[1], m.Int(rank)});
    for (int i = 0; i < rank; ++i) {
      const PrimRef along = coordinate(at[2 + i], dims[2 + i]);
      value = m.Add(value, m.Mul(te.At(matrix, {at[0], at[1], m.Int(rank - 1 - i)}), along));
    }
    return value;
  })});
}

}  // namespace lathe::ops
