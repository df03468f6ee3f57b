// Imports operators that sample images.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportGridSample(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {c.Arg(0), c.Arg(1)}));
  return c.Op("relax.image.grid_sample", {c.Arg(0), c.Arg(1)},
              {{"method", c.Str("method")},
               {"layout", c.Str("layout")},
               {"padding_mode", c.Str("padding_mode")},
               {"align_corners", c.Bool("align_corners")}});
}

absl::StatusOr<Operand> ImportAffineGrid(OpCall& c) {
  return c.Op("relax.image.affine_grid",
              {c.Arg(0), OpCall::Shape(c.DimsFrom(c.Ints("target_shape")))});
}

namespace {

// The place in the image along one axis that element `at` of a crop samples.
PrimRef CropPlace(ScalarMath& m, PrimRef from, PrimRef to, PrimRef size, int64_t crop, PrimRef at) {
  const DType real = DType::Float(32);
  const PrimRef last = m.Cast(m.Sub(size, m.Int(1)), real);
  if (crop == 1) return m.Mul(m.Mul(m.Const(0.5, real), m.Add(from, to)), last);
  const PrimRef scale =
      m.Div(m.Mul(m.Sub(to, from), last), m.Const(static_cast<double>(crop - 1), real));
  return m.Add(m.Mul(from, last), m.Mul(m.Cast(at, real), scale));
}

struct CropAxes {
  size_t batch, channel, height, width;
};

}  // namespace

// Crops boxes (y1, x1, y2, x2 as fractions of the image) and resizes them.
absl::StatusOr<Operand> ImportCropAndResize(OpCall& c) {
  const Operand x = c.Arg(0), boxes = c.Arg(1), which = c.Arg(2);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "method", {"bilinear", "nearest_neighbor"}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "layout", {"NCHW", "NHWC"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, boxes, 2, "the boxes"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, which, 1, "the image indices"));
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(boxes)[1], c.ir().Int(4), "a box"));
  const std::vector<int64_t> crop = c.Ints("crop_size");
  if (crop.size() != 2 || crop[0] < 1 || crop[1] < 1) return c.Error() << "an invalid crop_size";
  const bool channels_last = c.Str("layout") == "NHWC";
  const CropAxes axes = channels_last ? CropAxes{0, 3, 1, 2} : CropAxes{0, 1, 2, 3};
  const Dims from = c.DimsOf(x);
  Dims dims = from;
  dims[axes.batch] = c.DimsOf(boxes)[0];
  dims[axes.height] = c.ir().Int(crop[0]);
  dims[axes.width] = c.ir().Int(crop[1]);
  const bool bilinear = c.Str("method") == "bilinear";
  const DType real = DType::Float(32), out = c.DTypeAttr("out_dtype").value_or(c.TypeOf(x));
  return c.Kernel("crop_and_resize", {x, boxes, which}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, out, [&](const Indices& at) {
      const PrimRef box = at[axes.batch];
      const auto corner = [&](int64_t k) {
        return m.Cast(te.At(te.Input(1), {box, m.Int(k)}), real);
      };
      const PrimRef y =
          CropPlace(m, corner(0), corner(2), from[axes.height], crop[0], at[axes.height]);
      const PrimRef x_place =
          CropPlace(m, corner(1), corner(3), from[axes.width], crop[1], at[axes.width]);
      const auto within = [&](PrimRef place, PrimRef size) {
        const PrimRef last = m.Cast(m.Sub(size, m.Int(1)), real);
        return m.And(m.Le(m.Const(0, real), place), m.Le(place, last));
      };
      const auto element = [&](PrimRef row, PrimRef column) {
        const auto inside = [&](PrimRef index, PrimRef size) {
          const PrimRef whole = m.Cast(index, DType::Int(64));
          return m.Min(m.Max(whole, m.Int(0)), m.Sub(size, m.Int(1)));
        };
        Indices source = at;
        source[axes.batch] = inside(te.At(te.Input(2), {box}), from[axes.batch]);
        source[axes.height] = inside(row, from[axes.height]);
        source[axes.width] = inside(column, from[axes.width]);
        return m.Cast(te.At(te.Input(0), source), real);
      };
      PrimRef value = nullptr;
      if (bilinear) {
        const PrimRef top = m.Call("floor", {y}), left = m.Call("floor", {x_place});
        const PrimRef one = m.Const(1, real);
        const PrimRef down = m.Sub(y, top), right = m.Sub(x_place, left);
        const auto mix = [&](PrimRef a, PrimRef b, PrimRef t) {
          return m.Add(m.Mul(a, m.Sub(one, t)), m.Mul(b, t));
        };
        const PrimRef bottom = m.Add(top, one), end = m.Add(left, one);
        value = mix(mix(element(top, left), element(top, end), right),
                    mix(element(bottom, left), element(bottom, end), right), down);
      } else {
        const PrimRef half = m.Const(0.5, real);
        value = element(m.Call("floor", {m.Add(y, half)}), m.Call("floor", {m.Add(x_place, half)}));
      }
      const PrimRef inside = m.And(within(y, from[axes.height]), within(x_place, from[axes.width]));
      return m.Cast(m.IfThenElse(inside, value, m.Const(c.Float("extrapolation_value"), real)),
                    out);
    });
  });
}

// The maximum over a window of the image, padded with 0, plus the kernel.
absl::StatusOr<Operand> ImportDilation2d(OpCall& c) {
  const Operand x = c.Arg(0), w = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, w}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "data_layout", {"NCHW", "NHWC"}));
  const bool last = c.Str("data_layout") == "NHWC";
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "kernel_layout", {last ? "HWI" : "IHW"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, w, 3, "the kernel"));
  LATHE_ASSIGN_OR_RETURN(const auto strides, PerSpatialAxis(c, "strides", 2));
  LATHE_ASSIGN_OR_RETURN(const auto dilations, PerSpatialAxis(c, "dilations", 2));
  LATHE_ASSIGN_OR_RETURN(const auto pads, PaddingOf(c, 2));
  const Dims from = c.DimsOf(x), kernel = c.DimsOf(w);
  const size_t space = last ? 1 : 2, channel = last ? 3 : 1;
  const size_t tap = last ? 0 : 1, depth = last ? 2 : 0;
  LATHE_RETURN_IF_ERROR(RequireSize(c, kernel[depth], from[channel], "the kernel's channels"));
  ScalarMath& m = c.math();
  Dims dims = from;
  for (size_t i = 0; i < 2; ++i) {
    if (strides[i] < 1 || dilations[i] < 1) return c.Error() << "a stride or dilation below 1";
    const PrimRef span = m.Mul(m.Sub(kernel[tap + i], m.Int(1)), m.Int(dilations[i]));
    const PrimRef room = m.Sub(m.Add(from[space + i], m.Int(pads[i] + pads[i + 2] - 1)), span);
    dims[space + i] = c.Simplify(m.Add(m.FloorDiv(room, m.Int(strides[i])), m.Int(1)));
    if (OpCall::IntOf(dims[space + i]).value_or(1) < 1) return c.Error() << "a window too large";
  }
  const DType dtype = c.TypeOf(x);
  return c.Kernel("dilation2d", {x, w}, [&](Te& te) {
    return te.Reduce(
        "out", dims, {kernel[tap], kernel[tap + 1]}, te.Max(dtype),
        [&](const Indices& at, const Indices& k) {
          Indices source = at, weight(3);
          PrimRef inside = m.ir().Bool(true);
          weight[depth] = at[channel];
          for (size_t i = 0; i < 2; ++i) {
            const PrimRef start = m.Sub(m.Mul(at[space + i], m.Int(strides[i])), m.Int(pads[i]));
            source[space + i] = m.Add(start, m.Mul(k[i], m.Int(dilations[i])));
            inside = m.And(inside, m.InRange(source[space + i], m.Int(0), from[space + i]));
            weight[tap + i] = k[i];
          }
          const PrimRef element =
              m.IfThenElse(inside, te.At(te.Input(0), source), m.Const(0, dtype));
          return m.Add(element, te.At(te.Input(1), weight));
        });
  });
}

}  // namespace lathe::relay
