// Imports deformable convolution and correlation.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

struct ImageAxes {
  size_t channel, height, width;
};

// The image at a real place, interpolated; elements outside the image are 0.
PrimRef Interpolated(Te& te, const Dims& dims, const ImageAxes& axes, const Indices& image,
                     PrimRef y, PrimRef x) {
  ScalarMath& m = te.math();
  const DType dtype = te.Input(0)->dtype;
  const PrimRef one = m.Const(1, y->dtype());
  const PrimRef top = m.Call("floor", {y}), left = m.Call("floor", {x});
  const PrimRef down = m.Sub(y, top), right = m.Sub(x, left);
  const auto within = [&](PrimRef place, PrimRef size) {
    return m.And(m.Le(m.Const(0, dtype), place), m.Lt(place, m.Cast(size, dtype)));
  };
  const auto inside = [&](PrimRef row, PrimRef column) {
    return m.And(within(row, dims[axes.height]), within(column, dims[axes.width]));
  };
  const auto clamped = [&](PrimRef index, PrimRef size) {
    const PrimRef whole = m.Cast(index, DType::Int(64));
    return m.Min(m.Max(whole, m.Int(0)), m.Sub(size, m.Int(1)));
  };
  const auto element = [&](PrimRef row, PrimRef column) {
    Indices at = image;
    at[axes.height] = clamped(row, dims[axes.height]);
    at[axes.width] = clamped(column, dims[axes.width]);
    return m.IfThenElse(inside(row, column), te.At(te.Input(0), at), m.Const(0, dtype));
  };
  const auto mix = [&](PrimRef a, PrimRef b, PrimRef t) {
    return m.Add(m.Mul(a, m.Sub(one, t)), m.Mul(b, t));
  };
  const PrimRef upper = mix(element(top, left), element(top, m.Add(left, one)), right);
  const PrimRef lower =
      mix(element(m.Add(top, one), left), element(m.Add(top, one), m.Add(left, one)), right);
  return m.IfThenElse(inside(y, x), mix(upper, lower, down), m.Const(0, dtype));
}

}  // namespace

// Each tap of the kernel reads the image at an offset of its own.
absl::StatusOr<Operand> ImportDeformableConv2d(OpCall& c) {
  const Operand x = c.Arg(0), offset = c.Arg(1), w = c.Arg(2);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, offset, w}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "data_layout", {"NCHW", "NHWC"}));
  const bool last = c.Str("data_layout") == "NHWC";
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "kernel_layout", {last ? "HWIO" : "OIHW"}));
  for (const Operand& tensor : {x, offset, w}) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, tensor, 4, "each operand"));
  }
  LATHE_ASSIGN_OR_RETURN(const auto strides, PerSpatialAxis(c, "strides", 2));
  LATHE_ASSIGN_OR_RETURN(const auto dilation, PerSpatialAxis(c, "dilation", 2));
  LATHE_ASSIGN_OR_RETURN(const auto pads, PaddingOf(c, 2));
  const ImageAxes axes = last ? ImageAxes{3, 1, 2} : ImageAxes{1, 2, 3};
  const size_t out_axis = last ? 3 : 0, in_axis = last ? 2 : 1, tap = last ? 0 : 2;
  const Dims from = c.DimsOf(x), by = c.DimsOf(offset), kernel = c.DimsOf(w);
  const auto channels = OpCall::IntOf(from[axes.channel]), outs = OpCall::IntOf(kernel[out_axis]);
  const auto taps_y = OpCall::IntOf(kernel[tap]), taps_x = OpCall::IntOf(kernel[tap + 1]);
  const int64_t groups = c.Int("groups"), bends = c.Int("deformable_groups");
  if (!channels || !outs || !taps_y || !taps_x)
    return c.Unsupported() << "sizes that are not constants";
  if (groups < 1 || bends < 1 || *channels % groups != 0 || *outs % groups != 0 ||
      *channels % bends != 0) {
    return c.Error() << "groups that do not divide the channels";
  }
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, kernel[in_axis], c.ir().Int(*channels / groups), "the weight's channels"));
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, by[axes.channel], c.ir().Int(2 * bends * *taps_y * *taps_x), "the offsets"));
  Dims dims = by;
  dims[axes.channel] = kernel[out_axis];
  const DType dtype = c.TypeOf(x);
  return c.Kernel("deformable_conv2d", {x, offset, w}, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims over = {m.Int(*channels / groups), kernel[tap], kernel[tap + 1]};
    return te.Reduce("out", dims, over, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
      const PrimRef group = m.FloorDiv(at[axes.channel], m.Int(*outs / groups));
      const PrimRef channel = m.Add(m.Mul(group, over[0]), r[0]);
      const PrimRef bend = m.FloorDiv(channel, m.Int(*channels / bends));
      const PrimRef which =
          m.Add(m.Mul(m.Add(m.Mul(bend, kernel[tap]), r[1]), kernel[tap + 1]), r[2]);
      const auto place = [&](size_t axis, int64_t part) {
        Indices source = at;
        source[axes.channel] = m.Add(m.Mul(which, m.Int(2)), m.Int(part));
        const size_t spatial = part == 0 ? axes.height : axes.width;
        const PrimRef start = m.Sub(m.Mul(at[spatial], m.Int(strides[axis])), m.Int(pads[axis]));
        const PrimRef base = m.Add(start, m.Mul(r[1 + axis], m.Int(dilation[axis])));
        return m.Add(m.Cast(base, dtype), te.At(te.Input(1), source));
      };
      Indices image = at, weight(4);
      image[axes.channel] = channel;
      weight[out_axis] = at[axes.channel];
      weight[in_axis] = r[0];
      weight[tap] = r[1];
      weight[tap + 1] = r[2];
      return m.Mul(Interpolated(te, from, axes, image, place(0, 0), place(1, 1)),
                   te.At(te.Input(2), weight));
    });
  });
}

// Compares patches of two images at displacements.
absl::StatusOr<Operand> ImportCorrelation(OpCall& c) {
  const Operand a = c.Arg(0), b = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {a, b}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "layout", {"NCHW"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, a, 4, "the first image"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, b, 4, "the second image"));
  LATHE_ASSIGN_OR_RETURN(const auto pads, PaddingOf(c, 2));
  const int64_t kernel = c.Int("kernel_size"), reach = c.Int("max_displacement");
  const int64_t stride1 = c.Int("stride1"), stride2 = c.Int("stride2");
  if (kernel < 1 || kernel % 2 == 0 || reach < 0 || stride1 < 1 || stride2 < 1) {
    return c.Error() << "an even kernel, or a stride below 1";
  }
  const int64_t radius = (kernel - 1) / 2, border = reach + radius;
  const int64_t steps = reach / stride2, grid = 2 * steps + 1;
  ScalarMath& scalar = c.math();
  const Dims from = c.DimsOf(a);
  Dims dims = {from[0], scalar.Int(grid * grid)};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t more = pads[i] + pads[i + 2] - 2 * border;
    const PrimRef room = scalar.Add(from[2 + i], scalar.Int(more + stride1 - 1));
    dims.push_back(c.Simplify(scalar.FloorDiv(room, scalar.Int(stride1))));
    if (OpCall::IntOf(dims.back()).value_or(1) < 1) return c.Error() << "displacements too large";
  }
  const DType dtype = c.TypeOf(a);
  const bool multiplies = c.Bool("is_multiply");
  return c.Kernel("correlation", {a, b}, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims over = {from[1], m.Int(kernel), m.Int(kernel)};
    ir::BufferRef sum =
        te.Reduce("sum", dims, over, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          const auto element = [&](int input, bool displaced) {
            Indices source = {at[0], r[0]};
            PrimRef inside = m.ir().Bool(true);
            for (size_t i = 0; i < 2; ++i) {
              const PrimRef cell =
                  i == 0 ? m.FloorDiv(at[1], m.Int(grid)) : m.FloorMod(at[1], m.Int(grid));
              PrimRef place = m.Add(m.Mul(at[2 + i], m.Int(stride1)), m.Int(reach - pads[i]));
              place = m.Add(place, r[1 + i]);
              if (displaced) {
                place = m.Add(place, m.Mul(m.Sub(cell, m.Int(steps)), m.Int(stride2)));
              }
              inside = m.And(inside, m.InRange(place, m.Int(0), from[2 + i]));
              source.push_back(place);
            }
            return m.IfThenElse(inside, te.At(te.Input(input), source), m.Const(0, dtype));
          };
          const PrimRef x = element(0, false), y = element(1, true);
          return multiplies ? m.Mul(x, y) : m.Call("abs", {m.Sub(x, y)});
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef count = m.Mul(from[1], m.Int(kernel * kernel));
      return m.Div(te.At(sum, at), m.Cast(count, dtype));
    });
  });
}

}  // namespace lathe::relay
