// Imports normalizations in the steps of ONNX's definitions.
#include <numeric>

#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

ir::AttrList AxesFrom(int first, int rank) {
  ir::AttrList axes;
  for (int axis = first; axis < rank; ++axis) axes.emplace_back(axis);
  return axes;
}

Operand Mean(NodeCall& n, const Operand& x, const ir::AttrList& axes) {
  return n.Op("relax.mean", {x}, {{"axis", axes}, {"keepdims", true}});
}

// Reshapes a value per channel to (1, C, 1, 1). A tensor of rank 1 has one channel.
Operand ChannelParameter(NodeCall& n, const Operand& v, int rank) {
  Dims dims(static_cast<size_t>(rank), n.ir().Int(1));
  if (rank > 1) dims[1] = n.Product(n.DimsOf(v), 0, n.DimsOf(v).size());
  return n.Reshape(v, dims);
}

struct NormParts {
  Operand value, mean, inverse;
};

// (x - mean) / sqrt(variance + epsilon) over `axes`.
NormParts Normalize(NodeCall& n, const Operand& x, const ir::AttrList& axes, double epsilon) {
  const Operand mean = Mean(n, x, axes);
  const Operand off = n.Op("relax.subtract", {x, mean});
  const Operand variance = Mean(n, n.Op("relax.multiply", {off, off}), axes);
  const Operand inverse =
      n.Elementwise("inverse_deviation", {variance}, [&](ScalarMath& m, const Scalars& v) {
        const PrimRef root = m.Call("sqrt", {m.Add(v[0], m.Const(epsilon, v[0]->dtype()))});
        return m.Div(m.Const(1, v[0]->dtype()), root);
      });
  return {n.Op("relax.multiply", {off, inverse}), mean, inverse};
}

}  // namespace

absl::StatusOr<Results> ImportLayerNorm(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), n.Rank(x)));
  const DType dtype = n.TypeOf(x);
  const DType stash =
      DTypeOf(static_cast<int32_t>(n.Int("stash_type", kFloatType))).value_or(dtype);
  const DType work = dtype.bits < stash.bits ? stash : dtype;
  const auto axes = AxesFrom(axis, n.Rank(x));
  const NormParts normal = Normalize(n, n.Cast(x, work), axes, n.Float("epsilon", 1e-5));
  Operand y = n.Op("relax.multiply", {n.Cast(normal.value, dtype), n.In(1)});
  if (n.Has(2)) y = n.Op("relax.add", {y, n.In(2)});
  return Operands{y, n.Cast(normal.mean, stash), n.Cast(normal.inverse, stash)};
}

absl::StatusOr<Results> ImportRmsNorm(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), n.Rank(x)));
  const DType dtype = n.TypeOf(x);
  const DType work = dtype.bits < 32 ? DType::Float(32) : dtype;
  const Operand wide = n.Cast(x, work);
  const Operand squares = Mean(n, n.Op("relax.multiply", {wide, wide}), AxesFrom(axis, n.Rank(x)));
  const double epsilon = n.Float("epsilon", 1e-5);
  const Operand normal =
      n.Elementwise("rms_norm", {wide, squares}, [&](ScalarMath& m, const Scalars& v) {
        return m.Div(v[0], m.Call("sqrt", {m.Add(v[1], m.Const(epsilon, work))}));
      });
  return n.Op("relax.multiply", {n.Cast(normal, dtype), n.In(1)});
}

absl::StatusOr<Results> ImportInstanceNorm(NodeCall& n) {
  const Operand x = n.In(0);
  const int rank = n.Rank(x);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  const Operand normal = Normalize(n, x, AxesFrom(2, rank), n.Float("epsilon", 1e-5)).value;
  const Operand scaled = n.Op("relax.multiply", {normal, ChannelParameter(n, n.In(1), rank)});
  return n.Op("relax.add", {scaled, ChannelParameter(n, n.In(2), rank)});
}

absl::StatusOr<Results> ImportGroupNorm(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims dims = n.DimsOf(x);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  const int64_t groups = n.Int("num_groups", 1);
  if (groups < 1) return n.Error() << groups << " is not a valid number of groups";
  const PrimRef each = n.Simplify(n.math().FloorDiv(dims[1], n.ir().Int(groups)));
  Dims grouped = {dims[0], n.ir().Int(groups), each};
  grouped.insert(grouped.end(), dims.begin() + 2, dims.end());
  const int rank = static_cast<int>(grouped.size());
  const Operand parted = n.Reshape(x, grouped);
  Operand normal = Normalize(n, parted, AxesFrom(2, rank), n.Float("epsilon", 1e-5)).value;
  // Up to operator set 20, scale and bias were per group; since 21 they are per channel.
  const bool by_group = n.opset() < 21 && n.LengthOf(n.DimsOf(n.In(1))) == n.ir().Int(groups);
  if (!by_group) normal = n.Reshape(normal, dims);
  const int over = by_group ? rank : static_cast<int>(dims.size());
  normal = n.Op("relax.multiply", {normal, ChannelParameter(n, n.In(1), over)});
  return n.Reshape(n.Op("relax.add", {normal, ChannelParameter(n, n.In(2), over)}), dims);
}

absl::StatusOr<Results> ImportBatchNorm(NodeCall& n) {
  const Operand x = n.In(0);
  const int rank = n.Rank(x);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  Operand mean = n.In(3), variance = n.In(4);
  Operands more;
  if (n.Int("training_mode", 0) != 0) {
    ir::AttrList axes = AxesFrom(2, rank);
    axes.insert(axes.begin(), ir::AttrValue(0));
    const Operand own = Mean(n, x, axes);
    const Operand off = n.Op("relax.subtract", {x, own});
    const Operand spread = Mean(n, n.Op("relax.multiply", {off, off}), axes);
    const double momentum = n.Float("momentum", 0.9);
    const auto running = [&](const Operand& old, const Operand& now) {
      const Operand flat = n.Reshape(now, n.DimsOf(old));
      return n.Elementwise("running", {old, flat}, [&](ScalarMath& m, const Scalars& v) {
        const DType t = v[0]->dtype();
        return m.Add(m.Mul(v[0], m.Const(momentum, t)), m.Mul(v[1], m.Const(1 - momentum, t)));
      });
    };
    more = {running(mean, own), running(variance, spread)};
    mean = own;
    variance = spread;
  }
  const double epsilon = n.Float("epsilon", 1e-5);
  // Before operator set 9, parameters could be of each element of an image.
  const bool per_element = n.opset() < 9 && n.Int("spatial", 1) == 0 && rank > 1;
  const auto each = [&](const Operand& v) {
    if (!per_element) return ChannelParameter(n, v, rank);
    Dims dims = n.DimsOf(x);
    dims[0] = n.ir().Int(1);
    return n.Reshape(v, dims);
  };
  // Computes small floats in float32 and rounds once.
  const DType dtype = n.TypeOf(x), work = dtype.bits < 32 ? DType::Float(32) : dtype;
  Operands results = {n.Elementwise(
      "batch_norm", {x, each(n.In(1)), each(n.In(2)), each(mean), each(variance)},
      [&](ScalarMath& m, const Scalars& v) {
        const auto wide = [&](int i) { return m.Cast(v[static_cast<size_t>(i)], work); };
        const PrimRef root = m.Call("sqrt", {m.Add(wide(4), m.Const(epsilon, work))});
        const PrimRef normal = m.Div(m.Sub(wide(0), wide(3)), root);
        return m.Cast(m.Add(m.Mul(normal, wide(1)), wide(2)), dtype);
      })};
  results.insert(results.end(), more.begin(), more.end());
  return results;
}

// Divides each element by a sum over neighboring channels.
absl::StatusOr<Results> ImportLrn(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  const Dims dims = n.DimsOf(x);
  const int64_t size = n.Int("size", 1);
  if (size < 1) return n.Error() << "'size' must be at least 1, got " << size;
  const double alpha = n.Float("alpha", 1e-4), beta = n.Float("beta", 0.75);
  const double bias = n.Float("bias", 1.0);
  const DType dtype = n.TypeOf(x);
  return n.Kernel("lrn", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef sum = te.Reduce(
        "squares", dims, {m.Int(size)}, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          Indices near = at;
          near[1] = m.Sub(m.Add(at[1], r[0]), m.Int((size - 1) / 2));
          const PrimRef inside = m.InRange(near[1], m.Int(0), dims[1]);
          const PrimRef value = te.At(te.Input(0), near);
          return m.IfThenElse(inside, m.Mul(value, value), m.Const(0, dtype));
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef share = m.Const(alpha / static_cast<double>(size), dtype);
      const PrimRef base = m.Add(m.Const(bias, dtype), m.Mul(share, te.At(sum, at)));
      return m.Div(te.At(te.Input(0), at), m.Call("pow", {base, m.Const(beta, dtype)}));
    });
  });
}

}  // namespace lathe::onnx
