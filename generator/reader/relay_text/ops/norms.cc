// Imports normalizations and softmax.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Checks the parameters of a norm, one per element of `axis`, and returns the axis.
absl::StatusOr<int> NormAxis(OpCall& c, int parameters) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  for (int i = 1; i <= parameters; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(i), 1, "each parameter"));
    LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(c.Arg(i))[0],
                                      c.DimsOf(x)[static_cast<size_t>(axis)], "each parameter"));
  }
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, c.AllArgs()));
  return axis;
}

ir::AttrMap NormAttrs(OpCall& c) {
  return {
      {"epsilon", c.Float("epsilon")}, {"center", c.Bool("center")}, {"scale", c.Bool("scale")}};
}

}  // namespace

// (normalized, mean, variance); the statistics as they were given.
absl::StatusOr<Operand> ImportBatchNorm(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const int axis, NormAxis(c, 4));
  ir::AttrMap attrs = NormAttrs(c);
  attrs["axis"] = axis;
  attrs["training"] = false;
  const Operand all = c.Op("relax.nn.batch_norm", c.AllArgs(), std::move(attrs));
  return TupleOf({c.Field(all, 0), c.Arg(3), c.Arg(4)});
}

absl::StatusOr<Operand> ImportLayerNorm(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const int axis, NormAxis(c, 2));
  ir::AttrMap attrs = NormAttrs(c);
  attrs["axes"] = ListOf(std::vector{axis});
  return c.Op("relax.nn.layer_norm", c.AllArgs(), std::move(attrs));
}

// Over all axes but the batch and the channels; a group norm over all behind the channels.
absl::StatusOr<Operand> ImportGroupNorm(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const int axis, NormAxis(c, 2));
  const int rank = c.Rank(c.Arg(0));
  const bool groups = c.op() == "nn.group_norm";
  std::vector<int> axes;
  for (int i = groups ? axis + 1 : 1; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  ir::AttrMap attrs = NormAttrs(c);
  attrs["axes"] = ListOf(axes);
  attrs["channel_axis"] = axis;
  if (!groups) return c.Op("relax.nn.instance_norm", c.AllArgs(), std::move(attrs));
  const int64_t count = c.Int("num_groups");
  const auto channels = OpCall::IntOf(c.DimsOf(c.Arg(0))[static_cast<size_t>(axis)]);
  if (count < 1 || (channels && *channels % count != 0)) {
    return c.Error() << "num_groups is " << count << ", which does not divide the channels";
  }
  attrs["num_groups"] = count;
  return c.Op("relax.nn.group_norm", c.AllArgs(), std::move(attrs));
}

absl::StatusOr<Operand> ImportL2Normalize(OpCall& c) {
  const Operand x = c.Arg(0);
  std::vector<int64_t> wanted = c.OptionalInts("axis").value_or(std::vector<int64_t>());
  if (wanted.empty()) {
    for (int i = 0; i < c.Rank(x); ++i) wanted.push_back(i);
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, c.Axes(wanted, c.Rank(x)));
  const Operand sum = c.Op("relax.sum", {c.Op("relax.multiply", {x, x})},
                           {{"axis", ListOf(axes)}, {"keepdims", true}});
  const double eps = c.Float("eps");
  return c.Elementwise("l2_normalize", {x, sum}, [&](ScalarMath& m, const Scalars& v) {
    const PrimRef norm = m.Call("sqrt", {m.Max(v[1], m.Const(eps, v[1]->dtype()))});
    return m.Div(v[0], norm);
  });
}

// x / (bias + alpha / size * sum of x^2 over a window of the axis) ^ beta
absl::StatusOr<Operand> ImportLrn(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const int64_t size = c.Int("size");
  constexpr int64_t kMostSize = 1 << 20;
  if (size < 1 || size > kMostSize || size % 2 == 0) return c.Error() << "a window of " << size;
  const Dims dims = c.DimsOf(x);
  const DType dtype = c.TypeOf(x);
  if (!dtype.is_floating()) return c.Error() << "its operand has to be of a float dtype";
  return c.Kernel("lrn", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef in = te.Input(0);
    ir::BufferRef sum = te.Reduce(
        "sum", dims, {m.Int(size)}, te.Sum(dtype), [&](const Indices& at, const Indices& k) {
          Indices place = at;
          PrimRef& along = place[static_cast<size_t>(axis)];
          along = m.Add(along, m.Sub(k[0], m.Int(size / 2)));
          const PrimRef inside = m.InRange(along, m.Int(0), dims[static_cast<size_t>(axis)]);
          const PrimRef value = te.At(in, place);
          return m.IfThenElse(inside, m.Mul(value, value), m.Const(0, dtype));
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef scale = m.Const(c.Float("alpha") / static_cast<double>(size), dtype);
      const PrimRef base = m.Add(m.Const(c.Float("bias"), dtype), m.Mul(scale, te.At(sum, at)));
      return m.Div(te.At(in, at), m.Call("pow", {base, m.Const(c.Float("beta"), dtype)}));
    });
  });
}

absl::StatusOr<Operand> ImportSoftmax(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  return c.Op(c.op() == "nn.log_softmax" ? "relax.nn.log_softmax" : "relax.nn.softmax", {x},
              Axis(axis));
}

}  // namespace lathe::relay
