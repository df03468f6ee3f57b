// Implements resize2d, resize3d as loop nests: computes, for one axis at a time, the position of
// each result element in the image and the weights of the elements around it, then combines the
// axes.
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

// One spatial axis of the image.
struct Axis {
  PrimRef length;             // in the image
  PrimRef size;               // in the result
  double start = 0, end = 0;  // of the region of interest, as fractions of the length
};

class Resize {
 public:
  Resize(Te& te, const Call& call, DType dtype)
      : te_(te),
        m_(te.math()),
        mode_(FindString(call, "coordinate_transformation_mode")),
        rounding_(FindString(call, "rounding_method")),
        taps_(TapsOf(FindString(call, "method"))),
        alpha_(FloatAttr(call, "cubic_alpha")),
        excludes_(IntAttr(call, "cubic_exclude") != 0),
        dtype_(dtype) {
    if (rounding_.empty()) rounding_ = mode_ == "align_corners" ? "round" : "floor";
  }

  int taps() const { return taps_; }
  bool crops() const { return mode_ == "tf_crop_and_resize"; }

  // The position of result element `at` in the image, as a float.
  PrimRef Place(const Axis& axis, PrimRef at) {
    const PrimRef x = m_.Cast(at, dtype_), length = m_.Cast(axis.length, dtype_),
                  size = m_.Cast(axis.size, dtype_), one = Number(1), half = Number(0.5);
    const PrimRef scale = m_.Div(length, size);
    const auto centred = [&] { return m_.Sub(m_.Mul(m_.Add(x, half), scale), half); };
    // Maps the last element of the result to the last one of the image; a single element has no
    // scale.
    const PrimRef last = m_.Sub(length, one), steps = m_.Max(m_.Sub(size, one), one);
    if (mode_ == "align_corners") return m_.Mul(m_.Div(last, steps), x);
    if (mode_ == "asymmetric") return m_.Mul(scale, x);
    if (mode_ == "tf_half_pixel_for_nn") return m_.Mul(m_.Add(x, half), scale);
    const PrimRef several = m_.Lt(m_.Int(1), axis.size);
    if (mode_ == "pytorch_half_pixel") return m_.Select(several, centred(), Number(0));
    if (!crops()) return centred();
    const PrimRef from = m_.Mul(Number(axis.start), last);
    const PrimRef step = m_.Div(m_.Mul(Number(axis.end - axis.start), last), steps);
    return m_.Select(several, m_.Add(from, m_.Mul(x, step)),
                     m_.Mul(Number(0.5 * (axis.start + axis.end)), last));
  }

  // The image element at that position, for one tap.
  PrimRef Nearest(const Axis& axis, PrimRef at) {
    const PrimRef x = Place(axis, at);
    PrimRef found;
    if (rounding_ == "round") {
      found = m_.Call("nearbyint", {x});
    } else if (rounding_ == "round_prefer_floor") {
      found = m_.Call("ceil", {m_.Sub(x, Number(0.5))});
    } else if (rounding_ == "round_prefer_ceil") {
      found = m_.Call("floor", {m_.Add(x, Number(0.5))});
    } else if (rounding_ == "ceil") {
      // Corrects positions that are integers up to the rounding of the scale.
      found = m_.Call("ceil", {m_.Sub(x, Number(kSlack))});
    } else {
      found = m_.Call("floor", {m_.Add(x, Number(kSlack))});
    }
    return Inside(axis, m_.Cast(found, DType::Int(64)));
  }

  // The first tap in the image; it may be out of bounds.
  PrimRef First(const Axis& axis, PrimRef at) { return FirstTap(m_, Place(axis, at), taps_); }

  PrimRef Inside(const Axis& axis, PrimRef index) {
    return m_.Max(m_.Min(index, m_.Sub(axis.length, m_.Int(1))), m_.Int(0));
  }

  // The weight of each tap for each element of the result: [size, taps].
  ir::BufferRef Weights(const Axis& axis) {
    const auto weight = [&](PrimRef at, PrimRef tap) {
      const PrimRef index = m_.Add(First(axis, at), tap);
      const PrimRef away = m_.Sub(Place(axis, at), m_.Cast(index, dtype_));
      const PrimRef value = TapWeight(m_, m_.Call("abs", {away}), taps_, alpha_);
      if (!excludes_ || taps_ != 4) return value;
      return m_.Select(m_.InRange(index, m_.Int(0), axis.length), value, Number(0));
    };
    ir::BufferRef raw = te_.Compute("weight", {axis.size, m_.Int(taps_)}, dtype_,
                                    [&](const Indices& at) { return weight(at[0], at[1]); });
    if (!excludes_ || taps_ != 4) return raw;
    ir::BufferRef total = te_.Reduce("total", {axis.size}, {m_.Int(taps_)}, te_.Sum(dtype_),
                                     [&](const Indices& at, const Indices& r) {
                                       return te_.At(raw, {at[0], r[0]});
                                     });
    return te_.Compute("share", raw->shape, dtype_, [&](const Indices& at) {
      return m_.Div(te_.At(raw, at), te_.At(total, {at[0]}));
    });
  }

  PrimRef Number(double value) { return m_.Const(value, dtype_); }

 private:
  static constexpr double kSlack = 1e-5;

  Te& te_;
  ScalarMath& m_;
  std::string mode_;
  std::string rounding_;
  int taps_;
  double alpha_;
  bool excludes_;
  DType dtype_;
};

}  // namespace

absl::StatusOr<ir::PrimFunc> ComputeResize(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const int rank = call.op()->name == "relax.image.resize3d" ? 3 : 2;
  const Layout layout = *Layout::Parse(FindString(call, "layout"), rank == 3 ? "NCDHW" : "NCHW");
  const std::vector<double> roi = FloatsAttr(call, "roi");
  ir::BufferRef x = te.Input(0);
  const Dims image = layout.ToCanonical(m, x->shape);
  const Dims result = layout.ToCanonical(m, te.result_dims());
  std::vector<Axis> axes;
  for (int i = 0; i < rank; ++i) {
    axes.push_back({image[2 + i], result[2 + i], roi[i], roi[rank + i]});
  }
  // Sums of elements are kept in float32, those of float64 in float64.
  const DType dtype = x->dtype == DType::Float(64) ? x->dtype : DType::Float(32);
  Resize resize(te, call, dtype);
  const auto cropped = [&](const Indices& at, PrimRef value) {
    if (!resize.crops()) return value;
    PrimRef inside = m.ir().Bool(true);
    for (int i = 0; i < rank; ++i) {
      const PrimRef place = resize.Place(axes[i], at[2 + i]);
      const PrimRef last = m.Cast(m.Sub(axes[i].length, m.Int(1)), dtype);
      inside = m.And(inside, m.And(m.Le(resize.Number(0), place), m.Le(place, last)));
    }
    return m.Select(inside, value, resize.Number(FloatAttr(call, "extrapolation_value")));
  };
  const DType out_dtype = te.result_dtype();
  if (resize.taps() == 1) {
    return te.Finish({te.Compute("out", te.result_dims(), out_dtype, [&](const Indices& place) {
      const Indices at = layout.IndicesTo(m, place);
      Indices from = at;
      for (int i = 0; i < rank; ++i) from[2 + i] = resize.Nearest(axes[i], at[2 + i]);
      const PrimRef value = te.At(x, layout.IndicesFrom(m, from));
      return m.Cast(resize.crops() ? cropped(at, m.Cast(value, dtype)) : value, out_dtype);
    })});
  }
  std::vector<ir::BufferRef> weights;
  for (const Axis& axis : axes) weights.push_back(resize.Weights(axis));
  ir::BufferRef sum =
      te.Reduce("sum", te.result_dims(), Dims(rank, m.Int(resize.taps())), te.Sum(dtype),
                [&](const Indices& place, const Indices& r) {
                  const Indices at = layout.IndicesTo(m, place);
                  Indices from = at;
                  PrimRef weight = nullptr;
                  for (int i = 0; i < rank; ++i) {
                    const PrimRef first = resize.First(axes[i], at[2 + i]);
                    from[2 + i] = resize.Inside(axes[i], m.Add(first, r[i]));
                    const PrimRef part = te.At(weights[i], {at[2 + i], r[i]});
                    weight = weight == nullptr ? part : m.Mul(weight, part);
                  }
                  return m.Mul(m.Cast(te.At(x, layout.IndicesFrom(m, from)), dtype), weight);
                });
  if (!resize.crops() && out_dtype == dtype) return te.Finish({sum});
  return te.Finish({te.Compute("out", te.result_dims(), out_dtype, [&](const Indices& place) {
    return m.Cast(cropped(layout.IndicesTo(m, place), te.At(sum, place)), out_dtype);
  })});
}

}  // namespace lathe::ops
