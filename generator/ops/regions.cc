// Implements roi_align and roi_pool as loop nests: one small image for each region of a larger one.
// A region is (image of the batch, left, top, right, bottom), in units that are scaled first.
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

// The operands that both need; axis 0 is vertical, 1 is horizontal.
class Regions {
 public:
  Regions(Te& te, const Call& call)
      : te_(te),
        m_(te.math()),
        dtype_(te.Input(1)->dtype),
        scale_(FloatAttr(call, "spatial_scale")),
        size_(IntsAttr(call, "pooled_size")) {}

  PrimRef Number(double value) { return m_.Const(value, dtype_); }
  PrimRef Float(PrimRef value) { return m_.Cast(value, dtype_); }
  PrimRef Batch(PrimRef region) {
    return m_.Cast(te_.At(te_.Input(1), {region, m_.Int(0)}), DType::Int(64));
  }
  PrimRef Start(PrimRef region, int axis) { return Edge(region, 2 - axis); }
  PrimRef End(PrimRef region, int axis) { return Edge(region, 4 - axis); }
  PrimRef Size(int axis) { return Number(static_cast<double>(size_[axis])); }
  DType dtype() const { return dtype_; }

 private:
  PrimRef Edge(PrimRef region, int column) {
    return m_.Mul(te_.At(te_.Input(1), {region, m_.Int(column)}), Number(scale_));
  }

  Te& te_;
  ScalarMath& m_;
  DType dtype_;
  double scale_;
  std::vector<int64_t> size_;
};

}  // namespace

// Samples each bin at the points of a grid, with interpolation.
absl::StatusOr<ir::PrimFunc> ComputeRoiAlign(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const Layout layout = *Layout::Parse(FindString(call, "layout"), "NCHW");
  ir::BufferRef x = te.Input(0);
  const Dims image = layout.ToCanonical(m, x->shape);
  Regions regions(te, call);
  const DType dtype = regions.dtype();
  const bool aligned = FindBool(call, "aligned");
  const int64_t ratio = IntAttr(call, "sample_ratio");
  const bool average = FindString(call, "mode") == "avg";
  const auto bin = [&](PrimRef region, int axis) {
    PrimRef length = m.Sub(regions.End(region, axis), regions.Start(region, axis));
    if (!aligned) length = m.Max(length, regions.Number(1));
    return m.Div(length, regions.Size(axis));
  };
  // By default one sample per unit of the bin, whose length depends on data and is bounded.
  const auto points = [&](PrimRef region, int axis) {
    if (ratio > 0) return m.Int(ratio);
    const PrimRef most = m.Const(kMaxSamples, dtype), length = m.Call("ceil", {bin(region, axis)});
    const PrimRef some = m.Select(m.Lt(length, most), length, most);
    return m.Cast(m.Select(m.Lt(m.Const(0, dtype), length), some, m.Const(0, dtype)),
                  DType::Int(64));
  };
  // The coordinate of point `r` of bin `place` along the axis.
  const auto along = [&](PrimRef region, PrimRef place, PrimRef r, int axis) {
    const PrimRef width = bin(region, axis);
    const PrimRef start = m.Add(regions.Start(region, axis), m.Mul(regions.Float(place), width));
    const PrimRef step = m.Div(m.Mul(m.Add(regions.Float(r), regions.Number(0.5)), width),
                               regions.Float(points(region, axis)));
    return m.Add(start, step);
  };
  const auto sample = [&](const Indices& at, const Indices& r) {
    PrimRef value = nullptr, inside = m.ir().Bool(true);
    Indices low(2, nullptr), high(2, nullptr), part(2, nullptr);
    for (int axis = 0; axis < 2; ++axis) {
      const PrimRef length = image[2 + axis], last = m.Sub(length, m.Int(1));
      const PrimRef place = along(at[0], at[2 + axis], r[axis], axis);
      inside =
          m.And(inside, m.And(m.Le(regions.Number(-1), place), m.Le(place, regions.Float(length))));
      const PrimRef kept = m.Max(m.Min(place, regions.Float(last)), regions.Number(0));
      low[axis] = m.Cast(m.Call("floor", {kept}), DType::Int(64));
      high[axis] = m.Min(m.Add(low[axis], m.Int(1)), last);
      part[axis] = m.Sub(kept, regions.Float(low[axis]));
    }
    for (int corner = 0; corner < 4; ++corner) {
      PrimRef weight = nullptr;
      Indices from = {regions.Batch(at[0]), at[1], nullptr, nullptr};
      for (int axis = 0; axis < 2; ++axis) {
        const bool upper = ((corner >> axis) & 1) != 0;
        from[2 + axis] = upper ? high[axis] : low[axis];
        const PrimRef share = upper ? part[axis] : m.Sub(regions.Number(1), part[axis]);
        weight = weight == nullptr ? share : m.Mul(weight, share);
      }
      const PrimRef term = m.Mul(weight, te.At(x, layout.IndicesFrom(m, from)));
      value = value == nullptr ? term : m.Add(value, term);
    }
    return m.IfThenElse(inside, value, regions.Number(0));
  };
  const auto over = [&](const Indices& place) {
    const PrimRef region = layout.IndicesTo(m, place)[0];
    return Dims{points(region, 0), points(region, 1)};
  };
  ir::BufferRef folded = te.ReduceRagged(average ? "sum" : "max", te.result_dims(), over,
                                         average ? te.Sum(dtype) : te.Max(dtype),
                                         [&](const Indices& place, const Indices& r) {
                                           return sample(layout.IndicesTo(m, place), r);
                                         });
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& place) {
    const PrimRef value = te.At(folded, place);
    if (!average) return m.Cast(value, x->dtype);
    const PrimRef region = layout.IndicesTo(m, place)[0];
    const PrimRef count = m.Mul(points(region, 0), points(region, 1));
    return m.Cast(m.Div(value, regions.Float(m.Max(count, m.Int(1)))), x->dtype);
  })});
}

// The largest element of each bin, whose edges are rounded to elements; 0 for an empty bin.
absl::StatusOr<ir::PrimFunc> ComputeRoiPool(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  Regions regions(te, call);
  const auto rounded = [&](PrimRef place) {
    return m.Cast(m.Call("floor", {m.Add(place, regions.Number(0.5))}), DType::Int(64));
  };
  // The first element of a bin and the one after its last.
  const auto bounds = [&](const Indices& at, int axis) {
    const PrimRef start = rounded(regions.Start(at[0], axis));
    const PrimRef end = rounded(regions.End(at[0], axis));
    const PrimRef length = m.Max(m.Add(m.Sub(end, start), m.Int(1)), m.Int(1));
    const PrimRef bin = m.Div(regions.Float(length), regions.Size(axis));
    const auto edge = [&](const char* round, PrimRef place) {
      const PrimRef exact = m.Mul(regions.Float(place), bin);
      const PrimRef from_start = m.Cast(m.Call(round, {exact}), DType::Int(64));
      return m.Min(m.Max(m.Add(from_start, start), m.Int(0)), x->shape[2 + axis]);
    };
    const PrimRef place = at[2 + axis];
    return std::pair<PrimRef, PrimRef>{edge("floor", place), edge("ceil", m.Add(place, m.Int(1)))};
  };
  ir::BufferRef largest = te.Reduce(
      "max", te.result_dims(), {x->shape[2], x->shape[3]}, te.Max(x->dtype),
      [&](const Indices& at, const Indices& r) {
        const auto [top, bottom] = bounds(at, 0);
        const auto [left, right] = bounds(at, 1);
        const PrimRef inside = m.And(m.InRange(r[0], top, bottom), m.InRange(r[1], left, right));
        return m.IfThenElse(inside, te.At(x, {regions.Batch(at[0]), at[1], r[0], r[1]}),
                            m.Lowest(x->dtype));
      });
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    const auto [top, bottom] = bounds(at, 0);
    const auto [left, right] = bounds(at, 1);
    const PrimRef some = m.And(m.Lt(top, bottom), m.Lt(left, right));
    return m.Select(some, te.At(largest, at), m.Const(0, x->dtype));
  })});
}

}  // namespace lathe::ops
