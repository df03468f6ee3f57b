// Imports Resize: nearest, linear and cubic interpolation, with all coordinate transformations.
#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/resized_axes.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

const DType kPositionType = DType::Float(64);  // positions in double, so that ties round as defined

using Axis = ResizedAxis;
using Settings = ResizeSettings;

class Resizing {
 public:
  Resizing(Te& te, const Settings& s, const std::vector<Axis>& axes)
      : te_(te), m_(te.math()), s_(s), axes_(axes) {}

  PrimRef Real(double v) { return m_.Const(v, kPositionType); }
  PrimRef AsReal(PrimRef v) { return m_.Cast(v, kPositionType); }
  PrimRef Entry(int input, int64_t k) { return AsReal(te_.At(te_.Input(input), {m_.Int(k)})); }

  PrimRef ScaleOf(const Axis& a) {
    if (a.scale) return Real(*a.scale);
    if (s_.scales > 0) return Entry(s_.scales, a.entry);
    if (s_.sizes > 0 && s_.policy != "stretch") {
      PrimRef scale = nullptr;
      for (const Axis& one : axes_) {
        const PrimRef ratio = m_.Div(Entry(s_.sizes, one.entry), AsReal(one.from));
        scale = scale == nullptr            ? ratio
                : s_.policy == "not_larger" ? m_.Min(scale, ratio)
                                            : m_.Max(scale, ratio);
      }
      return scale;
    }
    return m_.Div(AsReal(a.to), AsReal(a.from));
  }

  // Returns the position in the image of element `o` of the result.
  PrimRef Position(const Axis& a, PrimRef o) {
    const PrimRef at = AsReal(o), scale = ScaleOf(a), half = Real(0.5), one = Real(1);
    const PrimRef in = AsReal(a.from), out = AsReal(a.to);
    const PrimRef centered = m_.Sub(m_.Div(m_.Add(at, half), scale), half);
    const auto several = [&](PrimRef value, PrimRef otherwise) {
      if (const auto size = NodeCall::IntOf(a.to)) return *size == 1 ? otherwise : value;
      return m_.Select(m_.Eq(a.to, m_.Int(1)), otherwise, value);
    };
    if (s_.placing == "asymmetric") return m_.Div(at, scale);
    if (s_.placing == "align_corners") {
      // The exact length may be fractional.
      const PrimRef exact = m_.Mul(scale, in);
      // Multiplying first makes the last position exact.
      const PrimRef place = m_.Div(m_.Mul(at, m_.Sub(in, one)), m_.Sub(exact, one));
      return several(place, Real(0));
    }
    if (s_.placing == "pytorch_half_pixel") return several(centered, Real(0));
    if (s_.placing == "tf_half_pixel_for_nn") return m_.Div(m_.Add(at, half), scale);
    if (s_.placing == "half_pixel_symmetric") {
      const PrimRef adjustment = m_.Div(out, m_.Mul(scale, in));
      const PrimRef offset = m_.Mul(m_.Div(in, Real(2)), m_.Sub(one, adjustment));
      return m_.Add(offset, centered);
    }
    if (s_.placing == "tf_crop_and_resize") {
      const int64_t width = NodeCall::IntOf(te_.Input(s_.roi)->shape[0]).value_or(0) / 2;
      const PrimRef start = Entry(s_.roi, a.entry), end = Entry(s_.roi, a.entry + width);
      const PrimRef last = m_.Sub(in, one);
      const PrimRef step = m_.Div(m_.Mul(m_.Sub(end, start), last), m_.Max(m_.Sub(out, one), one));
      const PrimRef middle = m_.Mul(m_.Mul(half, m_.Add(start, end)), last);
      return several(m_.Add(m_.Mul(start, last), m_.Mul(at, step)), middle);
    }
    return centered;
  }

  PrimRef Whole(PrimRef v) { return m_.Cast(v, DType::Int(64)); }
  PrimRef Within(const Axis& a, PrimRef i) {
    return m_.Max(m_.Int(0), m_.Min(i, m_.Sub(a.from, m_.Int(1))));
  }

  PrimRef Nearest(const Axis& a, PrimRef o) {
    const PrimRef x = Position(a, o);
    const auto call = [&](const char* f, PrimRef v) { return m_.Call(f, {v}); };
    if (s_.nearest == "floor") return Within(a, Whole(call("floor", x)));
    if (s_.nearest == "ceil") return Within(a, Whole(call("ceil", x)));
    if (s_.nearest == "simple") {  // in float32, as in ONNX Runtime
      const PrimRef near = m_.Cast(x, DType::Float(32));
      const PrimRef shrinks = m_.Lt(ScaleOf(a), Real(1));
      return Within(a, Whole(m_.Select(shrinks, call("ceil", near), call("floor", near))));
    }
    if (s_.nearest == "round_prefer_ceil") {
      return Within(a, Whole(call("floor", m_.Add(x, Real(0.5)))));
    }
    return Within(a, Whole(call("ceil", m_.Sub(x, Real(0.5)))));
  }

  // Returns the weight of a pixel at distance `d`.
  PrimRef Weight(PrimRef d) {
    const PrimRef x = m_.Call("abs", {d}), zero = Real(0), one = Real(1);
    if (s_.mode == "linear") return m_.Max(zero, m_.Sub(one, x));
    const double a = s_.cubic_a;
    const auto poly = [&](double c3, double c2, double c1, double c0) {
      const PrimRef p = m_.Add(m_.Mul(m_.Add(m_.Mul(Real(c3), x), Real(c2)), x), Real(c1));
      return m_.Add(m_.Mul(p, x), Real(c0));
    };
    const PrimRef near = poly(a + 2, -(a + 3), 0, 1), far = poly(a, -5 * a, 8 * a, -4 * a);
    return m_.Select(m_.Le(x, one), near, m_.Select(m_.Lt(x, Real(2)), far, zero));
  }

  // Resizes one axis; the axes are processed one after the other.
  ir::BufferRef Along(ir::BufferRef x, const Axis& a, DType wide) {
    Dims dims = x->shape;
    dims[a.axis] = a.to;
    const int64_t radius = s_.mode == "linear" ? 1 : 2;
    PrimRef reach = m_.Int(radius);
    if (s_.antialias) {  // the window grows as the image shrinks
      const PrimRef out = m_.Max(a.to, m_.Int(1));
      const PrimRef most = m_.Mul(m_.Int(radius), m_.Add(a.from, m_.Int(1)));
      const PrimRef shrinks = m_.FloorDiv(m_.Add(most, m_.Sub(out, m_.Int(1))), out);
      reach = analysis::Simplify(m_.ir(), m_.Add(m_.Max(reach, shrinks), m_.Int(1)));
    }
    const PrimRef taps = analysis::Simplify(m_.ir(), m_.Mul(m_.Int(2), reach));
    const auto tap = [&](PrimRef o, PrimRef k, PrimRef& index) {
      const PrimRef position = Position(a, o);
      const PrimRef first = m_.Call("floor", {position});
      const PrimRef i = m_.Add(first, AsReal(m_.Sub(k, m_.Sub(reach, m_.Int(1)))));
      index = Whole(i);
      PrimRef distance = m_.Sub(i, position);
      if (s_.antialias) distance = m_.Mul(distance, m_.Min(Real(1), ScaleOf(a)));
      const PrimRef weight = Weight(distance);
      if (!s_.exclude_outside) return weight;
      return m_.Select(m_.InRange(index, m_.Int(0), a.from), weight, Real(0));
    };
    const bool norms = s_.antialias || s_.exclude_outside;
    ir::BufferRef total = nullptr;
    if (norms) {
      total = te_.Reduce("weights", {a.to}, {taps}, te_.Sum(kPositionType),
                         [&](const Indices& at, const Indices& k) {
                           PrimRef index = nullptr;
                           return tap(at[0], k[0], index);
                         });
    }
    return te_.Reduce("resized", dims, {taps}, te_.Sum(wide),
                      [&](const Indices& at, const Indices& k) {
                        PrimRef index = nullptr;
                        PrimRef weight = tap(at[a.axis], k[0], index);
                        if (norms) weight = m_.Div(weight, te_.At(total, {at[a.axis]}));
                        Indices source = at;
                        source[a.axis] = Within(a, index);
                        return m_.Mul(m_.Cast(te_.At(x, source), wide), m_.Cast(weight, wide));
                      });
  }

  PrimRef Outside(const Indices& at) {
    PrimRef outside = m_.ir().Bool(false);
    for (const Axis& a : axes_) {
      const PrimRef x = Position(a, at[a.axis]);
      const PrimRef last = AsReal(m_.Sub(a.from, m_.Int(1)));
      outside = m_.Or(outside, m_.Or(m_.Lt(x, Real(0)), m_.Lt(last, x)));
    }
    return outside;
  }

  // Checks at run time that scales or sizes lead to the declared sizes.
  void NeedSizes(NodeCall& n) {
    for (const Axis& a : axes_) {
      if (!a.declared) continue;
      PrimRef size = nullptr;
      if (s_.sizes > 0 && s_.policy == "stretch") {
        size = AsReal(te_.At(te_.Input(s_.sizes), {m_.Int(a.entry)}));
      } else if (s_.sizes > 0) {
        size = m_.Call("floor", {m_.Add(m_.Mul(ScaleOf(a), AsReal(a.from)), Real(0.5))});
      } else {
        const DType real = DType::Float(32);
        const PrimRef product = m_.Mul(m_.Cast(a.from, real), m_.Cast(ScaleOf(a), real));
        size = AsReal(m_.Call("floor", {product}));
      }
      te_.Need(m_.Eq(size, AsReal(a.to)),
               absl::StrCat(n.op(), " needs dimension ", a.axis, " of the result to be ",
                            ir::ToString(a.to), ", as the model declares"));
    }
    for (const Axis& a : axes_) {
      te_.Need(m_.Or(m_.Lt(m_.Int(0), a.from), m_.Eq(a.to, m_.Int(0))),
               absl::StrCat(n.op(), " needs elements along dimension ", a.axis));
    }
  }

  ir::BufferRef Run(const Dims& dims) {
    ir::BufferRef x = te_.Input(0);
    const DType dtype = x->dtype;
    const bool nearest = s_.mode == "nearest";
    const DType wide = dtype == kPositionType ? kPositionType : DType::Float(32);
    ir::BufferRef done = x;
    for (const Axis& a : axes_) {
      if (!nearest) done = Along(done, a, wide);
    }
    return te_.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices source = at;
      for (const Axis& a : axes_) {
        if (nearest) source[a.axis] = Nearest(a, at[a.axis]);
      }
      PrimRef value = te_.At(done, source);
      if (dtype.is_integer() && !nearest) value = m_.Call("round", {value});
      value = m_.Cast(value, dtype);
      if (s_.placing != "tf_crop_and_resize") return value;
      return m_.Select(Outside(at), m_.Const(s_.outside, dtype), value);
    });
  }

 private:
  Te& te_;
  ScalarMath& m_;
  const Settings& s_;
  const std::vector<Axis>& axes_;
};

// Returns the settings of the attributes. `old`: with the defaults of Upsample and Resize-10, which
// leave the nearest element open: the next one if the axis shrinks, else the one before.
Settings SettingsOf(NodeCall& n, bool old) {
  Settings s;
  s.mode = n.String("mode", "nearest");
  if (s.mode == "bilinear") s.mode = "linear";
  s.placing = n.String("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  s.nearest = n.String("nearest_mode", old ? "simple" : "round_prefer_floor");
  s.policy = n.String("keep_aspect_ratio_policy", "stretch");
  s.cubic_a = n.Float("cubic_coeff_a", -0.75);
  s.outside = n.Float("extrapolation_value", 0);
  s.antialias = n.Int("antialias", 0) != 0 && s.mode != "nearest";
  s.exclude_outside = n.Int("exclude_outside", 0) != 0 && s.mode == "cubic";
  return s;
}

// Returns the begin and the end of the region along each of `axes` axes.
absl::StatusOr<Operand> RoiOf(NodeCall& n, int64_t axes) {
  const Operand roi = n.In(1);
  LATHE_RETURN_IF_ERROR(n.status());
  const Dims dims = n.DimsOf(roi);
  const auto size = dims.size() == 1 ? NodeCall::IntOf(dims[0]) : std::optional<int64_t>(-1);
  if (size && *size != 2 * axes) {
    return n.Error() << "'roi' must have two entries for each of " << axes << " axes";
  }
  if (size) return roi;
  return n.builder().MatchCast(roi, n.ir().Tensor({n.ir().Int(2 * axes)}, n.TypeOf(roi)));
}

}  // namespace

absl::StatusOr<Results> ImportResize(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const int rank = static_cast<int>(from.size());
  const bool old = n.opset() < 11 || n.op() == "Upsample";
  const int scales_in = old ? 1 : 2;
  Settings s = SettingsOf(n, old);
  if (s.mode != "nearest" && s.mode != "linear" && s.mode != "cubic") {
    return n.Unsupported() << "unsupported mode '" << s.mode
                           << "'; supported: nearest, linear and cubic";
  }
  std::vector<int64_t> named = n.Ints("axes");
  for (int a = 0; !n.HasAttribute("axes") && a < rank; ++a) named.push_back(a);
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> along, n.Axes(named, rank));
  const auto holds = [&](int i) {
    if (!n.Has(i)) return false;
    const Operand v = n.In(i);
    return n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]).value_or(1) > 0;
  };
  std::optional<std::vector<double>> scales;
  if (n.HasAttribute("scales")) scales = n.Floats("scales");
  if (n.op() == "Upsample" && n.opset() < 7) {
    scales = {1, 1, n.Float("height_scale", 1), n.Float("width_scale", 1)};
  }
  const bool by_scales = holds(scales_in), by_sizes = !old && holds(3);
  if (by_scales && by_sizes) return n.Error() << "one of 'scales' and 'sizes' must be given";
  if (by_scales) scales = n.ConstantNumbers(scales_in);
  const auto sizes = by_sizes ? n.ConstantInts(3) : std::nullopt;
  if ((scales && scales->size() != along.size()) || (sizes && sizes->size() != along.size())) {
    return n.Error() << "the number of scales or sizes must be that of the axes";
  }
  Operands args = {x};
  const auto also = [&](int i) {
    args.push_back(n.In(i));
    return static_cast<int>(args.size()) - 1;
  };
  if (by_scales && !scales) s.scales = also(scales_in);
  if (by_sizes && (!sizes || s.policy != "stretch")) s.sizes = also(3);
  if (s.placing == "tf_crop_and_resize") {
    if (!holds(1)) return n.Error() << "coordinate mode 'tf_crop_and_resize' needs 'roi'";
    s.roi = also(1);
    LATHE_ASSIGN_OR_RETURN(args.back(), RoiOf(n, std::ssize(along)));
  }
  Dims dims = from;
  std::vector<Axis> axes;
  const ResizeSizes wanted{scales, sizes, along, scales_in};
  for (size_t k = 0; k < along.size(); ++k) {
    Axis a;
    a.axis = static_cast<size_t>(along[k]);
    a.from = from[a.axis];
    a.entry = static_cast<int64_t>(k);
    LATHE_RETURN_IF_ERROR(SizeAxis(n, s, wanted, k, a));
    dims[a.axis] = a.to;
    const bool same = a.from == a.to && (!a.scale || *a.scale == 1) && s.scales < 0 && s.roi < 0;
    if (!same || s.sizes > 0) axes.push_back(a);
  }
  LATHE_RETURN_IF_ERROR(n.status());
  return n.Kernel("resize", args, [&](Te& te) {
    for (int input : {s.scales, s.sizes}) {
      if (input < 0) continue;
      NeedSame(n, te, te.Input(input)->shape[0], te.math().Int(std::ssize(along)),
               "as many scales or sizes as axes");
    }
    Resizing resizing(te, s, axes);
    resizing.NeedSizes(n);
    return resizing.Run(dims);
  });
}

}  // namespace lathe::onnx
