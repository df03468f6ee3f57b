// Imports pools. Integers are pooled as they are: data and result have one scale.
#include <array>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

struct PoolForm {
  WindowAxis y, x;
};

absl::StatusOr<PoolForm> PoolFormOf(OpCall& c) {
  const std::vector<int64_t>& data = c.In(0).shape;
  if (data.size() != 4) return c.Error() << "data must have 4 dimensions, got " << data.size();
  PoolForm form = {{data[1], c.Int("filter_height"), c.Int("stride_h")},
                   {data[2], c.Int("filter_width"), c.Int("stride_w")}};
  LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), form.y));
  LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), form.x));
  return form;
}

ir::AttrMap PoolAttributes(const PoolForm& f) {
  return {{"pool_size", ir::AttrList{f.y.kernel, f.x.kernel}},
          {"strides", ir::AttrList{f.y.stride, f.x.stride}},
          {"padding", ir::AttrList{f.y.before, f.x.before, f.y.after, f.x.after}},
          {"layout", "NHWC"},
          {"out_layout", "NHWC"}};
}

// The number of window positions inside the image along one axis.
PrimRef Inside(ScalarMath& m, const WindowAxis& axis, PrimRef at) {
  const PrimRef first = m.Sub(m.Mul(at, m.Int(axis.stride)), m.Int(axis.before));
  const PrimRef end = m.Min(m.Add(first, m.Int(axis.kernel)), m.Int(axis.in));
  return m.Sub(end, m.Max(first, m.Int(0)));
}

bool IsInside(const WindowAxis& axis) { return axis.before == 0 && axis.after == 0; }

Operand IntegerAverage(OpCall& c, const PoolForm& f, const IntegerRange& range) {
  const DType whole = DType::Int(32), dtype = c.OutType();
  const Dims in = c.DimsOf(c.Arg(0));
  const Dims dims = {in[0], c.ir().Int(f.y.out), c.ir().Int(f.x.out), in[3]};
  return c.Kernel("average_pool", {c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto position = [&](const WindowAxis& axis, PrimRef at, PrimRef r) {
      return m.Sub(m.Add(m.Mul(at, m.Int(axis.stride)), r), m.Int(axis.before));
    };
    const BufferRef sum =
        te.Reduce("sum", dims, {m.Int(f.y.kernel), m.Int(f.x.kernel)}, te.Sum(whole),
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef y = position(f.y, at[1], r[0]), x = position(f.x, at[2], r[1]);
                    const PrimRef value = m.Cast(te.At(te.Input(0), {at[0], y, x, at[3]}), whole);
                    if (IsInside(f.y) && IsInside(f.x)) return value;
                    const PrimRef inside = m.And(m.InRange(y, m.Int(0), m.Int(f.y.in)),
                                                 m.InRange(x, m.Int(0), m.Int(f.x.in)));
                    return m.IfThenElse(inside, value, m.ir().Int(0, whole));
                  });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef total = te.At(sum, at);
      const bool whole_windows = IsInside(f.y) && IsInside(f.x);
      const PrimRef count =
          whole_windows ? m.ir().Int(f.y.kernel * f.x.kernel, whole)
                        : m.Cast(m.Mul(Inside(m, f.y, at[1]), Inside(m, f.x, at[2])), whole);
      const PrimRef half = whole_windows ? m.ir().Int(f.y.kernel * f.x.kernel / 2, whole)
                                         : m.FloorDiv(count, m.ir().Int(2, whole));
      // Rounds halves away from zero.
      const PrimRef zero = m.ir().Int(0, whole);
      const PrimRef rounded = m.Select(m.Lt(zero, total), m.Add(total, half), m.Sub(total, half));
      return ops::ClippedTo(m, m.Binary(ir::BinaryOp::kDiv, rounded, count), range.low, range.high,
                            dtype);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportAveragePool2d(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PoolForm form, PoolFormOf(c));
  if (c.OutType().is_floating()) {
    ir::AttrMap attrs = PoolAttributes(form);
    attrs["count_include_pad"] = false;
    return FloatActivation(c, c.Op("relax.nn.avg_pool2d", {c.Arg(0)}, std::move(attrs)),
                           c.Int("activation"));
  }
  LATHE_RETURN_IF_ERROR(RequireSameQuantization(c));
  return IntegerAverage(c, form, ActivationRange(c, c.Out(), c.Int("activation")));
}

absl::StatusOr<Results> ImportMaxPool2d(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PoolForm form, PoolFormOf(c));
  LATHE_RETURN_IF_ERROR(RequireSameQuantization(c));
  const Operand made = c.Op("relax.nn.max_pool2d", {c.Arg(0)}, PoolAttributes(form));
  if (c.OutType().is_floating()) return FloatActivation(c, made, c.Int("activation"));
  return ClippedIntegers(c, made, ActivationRange(c, c.Out(), c.Int("activation")));
}

absl::StatusOr<Results> ImportL2Pool2d(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PoolForm form, PoolFormOf(c));
  if (!c.OutType().is_floating()) {
    return c.Unsupported() << "L2_POOL_2D of " << TypeName(c.In(0).type)
                           << "; float32 is supported";
  }
  ir::AttrMap attrs = PoolAttributes(form);
  attrs["count_include_pad"] = false;
  const Operand squares = c.Op("relax.multiply", {c.Arg(0), c.Arg(0)});
  const Operand mean = c.Op("relax.nn.avg_pool2d", {squares}, std::move(attrs));
  return FloatActivation(c, c.Op("relax.sqrt", {mean}), c.Int("activation"));
}

}  // namespace lathe::tflite
