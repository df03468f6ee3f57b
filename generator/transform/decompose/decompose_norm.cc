#include "generator/transform/decompose/decompose_norm.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {
namespace {

using ir::Operand;

class Normalisation {
 public:
  Normalisation(const CompositeCall& c, const ir::TensorInfo& x)
      : c_(c), dtype_(x.dtype), real_(x.dtype.bits < 32 ? ir::DType::Float(32) : x.dtype) {}

  Operand Op(absl::string_view op, std::vector<Operand> args, ir::AttrMap attrs = {}) {
    return c_.emit.Op(op, std::move(args), std::move(attrs));
  }

  // Argument `i` in the dtype of the computation.
  Operand Real(size_t i) { return Cast(c_.call.args[i], real_); }
  Operand Back(Operand value) { return Cast(std::move(value), dtype_); }

  Operand Mean(Operand x, const std::vector<int64_t>& axes) {
    return Op("relax.mean", {std::move(x)}, Reduction(axes));
  }
  Operand Variance(Operand x, const std::vector<int64_t>& axes) {
    return Op("relax.variance", {std::move(x)}, Reduction(axes));
  }
  Operand OverDeviation(Operand x, Operand variance) {
    const double epsilon = ops::FindFloat(c_.call, "epsilon").value_or(0);
    Operand sum = Op("relax.add", {std::move(variance), c_.emit.Number(epsilon, real_)});
    return Op("relax.divide", {std::move(x), Op("relax.sqrt", {std::move(sum)})});
  }

  // Argument `i`, with one number per position along `axes`, reshaped to `ndim` dimensions with 1
  // for the other axes.
  Operand Along(size_t i, const std::vector<int64_t>& axes, int ndim) {
    Operand value = Real(i);
    std::vector<int64_t> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return axes[a] < axes[b]; });
    if (!std::is_sorted(order.begin(), order.end())) {
      value = Op("relax.permute_dims", {std::move(value)}, {{"axes", List(order)}});
    }
    std::vector<int64_t> others;
    for (int64_t axis = 0; axis < ndim; ++axis) {
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) others.push_back(axis);
    }
    // Broadcasting adds leading dimensions.
    const bool leading = others.empty() || others.back() + 1 == std::ssize(others);
    if (leading) return value;
    return Op("relax.expand_dims", {std::move(value)}, {{"axis", List(others)}});
  }

  Operand Scaled(Operand value, const std::vector<int64_t>& axes, int ndim) {
    if (ops::FindBool(c_.call, "scale")) {
      value = Op("relax.multiply", {std::move(value), Along(1, axes, ndim)});
    }
    if (ops::FindBool(c_.call, "center")) {
      value = Op("relax.add", {std::move(value), Along(2, axes, ndim)});
    }
    return value;
  }

  // The moving average in argument `i`, updated with the new value.
  Operand Moved(size_t i, Operand now, const std::vector<int64_t>& others) {
    const double momentum = ops::FindFloat(c_.call, "momentum").value_or(0);
    if (!others.empty()) now = Op("relax.squeeze", {std::move(now)}, {{"axis", List(others)}});
    Operand old = Op("relax.multiply", {Real(i), c_.emit.Number(1 - momentum, real_)});
    now = Op("relax.multiply", {std::move(now), c_.emit.Number(momentum, real_)});
    return Back(Op("relax.add", {std::move(old), std::move(now)}));
  }

  static ir::AttrValue List(const std::vector<int64_t>& numbers) {
    ir::AttrList list;
    for (int64_t n : numbers) list.push_back(ir::AttrValue(n));
    return ir::AttrValue(std::move(list));
  }

 private:
  static ir::AttrMap Reduction(const std::vector<int64_t>& axes) {
    return {{"axis", List(axes)}, {"keepdims", ir::AttrValue(true)}};
  }

  Operand Cast(Operand value, ir::DType dtype) {
    if (real_ == dtype_) return value;
    return Op("relax.astype", {std::move(value)}, {{"dtype", ir::AttrValue(dtype)}});
  }

  const CompositeCall& c_;
  const ir::DType dtype_;
  const ir::DType real_;
};

std::optional<std::vector<int64_t>> AxesOf(const CompositeCall& c, int ndim) {
  std::optional<std::vector<int64_t>> axes = ops::FindInts(c.call, "axes");
  if (!axes) return std::nullopt;
  for (int64_t& axis : *axes) axis = ops::FromFront(axis, ndim);
  return axes;
}

// In training, the statistics are those of the batch, and update the moving averages.
Decomposition Trained(Normalisation& n, int64_t channel, int ndim) {
  std::vector<int64_t> others;
  for (int64_t axis = 0; axis < ndim; ++axis) {
    if (axis != channel) others.push_back(axis);
  }
  Operand data = n.Real(0);
  const Operand mean = n.Mean(data, others), variance = n.Variance(data, others);
  Operand value = n.OverDeviation(n.Op("relax.subtract", {data, mean}), variance);
  value = n.Back(n.Scaled(std::move(value), {channel}, ndim));
  return Operand{
      ir::TupleExpr{{std::move(value), n.Moved(3, mean, others), n.Moved(4, variance, others)}}};
}

}  // namespace

Decomposition DecomposeLayerNorm(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  if (x == nullptr || x->ndim < 0 || x->dtype.is_void()) return std::nullopt;
  const auto axes = AxesOf(c, x->ndim);
  if (!axes) return std::nullopt;
  Normalisation n(c, *x);
  Operand data = n.Real(0);
  if (c.call.op()->name == "relax.nn.rms_norm") {
    Operand square = n.Mean(n.Op("relax.multiply", {data, data}), *axes);
    Operand value = n.OverDeviation(data, std::move(square));
    return n.Back(n.Op("relax.multiply", {std::move(value), n.Along(1, *axes, x->ndim)}));
  }
  Operand centred = n.Op("relax.subtract", {data, n.Mean(data, *axes)});
  Operand value = n.OverDeviation(std::move(centred), n.Variance(data, *axes));
  return n.Back(n.Scaled(std::move(value), *axes, x->ndim));
}

Decomposition DecomposeBatchNorm(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  const std::optional<int64_t> axis = ops::FindInt(c.call, "axis");
  if (x == nullptr || x->ndim < 0 || x->dtype.is_void() || !axis) return std::nullopt;
  const std::vector<int64_t> channel = {ops::FromFront(*axis, x->ndim)};
  Normalisation n(c, *x);
  if (ops::FindBool(c.call, "training")) return Trained(n, channel[0], x->ndim);
  Operand centred = n.Op("relax.subtract", {n.Real(0), n.Along(3, channel, x->ndim)});
  Operand value = n.OverDeviation(std::move(centred), n.Along(4, channel, x->ndim));
  value = n.Back(n.Scaled(std::move(value), channel, x->ndim));
  return Operand{ir::TupleExpr{{std::move(value), c.call.args[3], c.call.args[4]}}};
}

// The channels of a group become a separate axis, which is reduced too.
Decomposition DecomposeGroupNorm(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  const std::optional<int64_t> axis = ops::FindInt(c.call, "channel_axis");
  if (x == nullptr || x->dims() == nullptr || x->dtype.is_void() || !axis) return std::nullopt;
  const int channel = ops::FromFront(*axis, x->ndim);
  std::optional<std::vector<int64_t>> axes = AxesOf(c, x->ndim);
  if (!axes) return std::nullopt;
  const std::optional<int64_t> groups = ops::FindInt(c.call, "num_groups");
  Normalisation n(c, *x);
  Operand data = n.Real(0);
  if (groups) {
    std::vector<ir::PrimRef> dims = *x->dims();
    ir::PrimRef count = c.context.Int(*groups, dims[channel]->dtype());
    dims[channel] = analysis::Simplify(
        c.context, c.context.Make(ir::BinaryOp::kFloorDiv, dims[channel], count));
    dims.insert(dims.begin() + channel, count);
    data = n.Op("relax.reshape", {std::move(data), Operand{ir::ShapeExpr{std::move(dims)}}});
    for (int64_t& a : *axes) a += a > channel ? 1 : 0;
    axes->push_back(channel + 1);
    std::sort(axes->begin(), axes->end());
  }
  Operand centred = n.Op("relax.subtract", {data, n.Mean(data, *axes)});
  Operand value = n.OverDeviation(std::move(centred), n.Variance(data, *axes));
  if (groups) {
    value = n.Op("relax.reshape", {std::move(value), Operand{ir::ShapeExpr{*x->dims()}}});
  }
  return n.Back(n.Scaled(std::move(value), {channel}, x->ndim));
}

}  // namespace lathe::transform
