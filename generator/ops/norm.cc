// Implements normalizations: batch_norm, layer_norm, rms_norm, group_norm, instance_norm.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/statistics.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The handling of parameter lengths that are not known to match the data: the result has only a
// rank, or the lengths are checked at run time.
enum class Uncertain { kRankOnly, kChecked };

// Checks that the data are floats, and that the other tensors have their dtype and the lengths of
// the data's `axes`. False when that is uncertain.
absl::StatusOr<bool> CheckParameters(InferContext& c, const Call& call,
                                     const std::vector<const TensorInfo*>& x,
                                     const std::vector<int64_t>& written,
                                     Uncertain uncertain = Uncertain::kRankOnly) {
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x[0]));
  std::vector<int> axes;
  if (x[0]->ndim != ir::kUnknownRank) {
    LATHE_ASSIGN_OR_RETURN(axes, NormalAxes(c, call, "axes", written, x[0]->ndim));
  }
  bool certain = true;
  for (int i = 1; i < static_cast<int>(x.size()); ++i) {
    if (x[i]->dtype != x[0]->dtype) {
      return c.Error("op-argument-dtype")
             << DescribeArg(c, call, i) << " must have the dtype of the data, "
             << ToString(x[0]->dtype) << ", got " << ToString(x[i]->dtype);
    }
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], static_cast<int>(written.size())));
    if (x[0]->dims() == nullptr || x[i]->dims() == nullptr) continue;
    for (size_t d = 0; d < axes.size(); ++d) {
      PrimRef wanted = (*x[0]->dims())[axes[d]], got = (*x[i]->dims())[d];
      ir::Tri same = c.ProveEqual(wanted, got);
      if (uncertain == Uncertain::kChecked) {
        same = c.CanEqual(wanted, got) ? ir::Tri::kYes : ir::Tri::kNo;
      }
      certain &= same == ir::Tri::kYes;
      if (same == ir::Tri::kNo) {
        return c.Error("op-argument-shape")
               << DescribeArg(c, call, i) << " must have the size of axis " << axes[d]
               << " of the data: " << ToString(wanted) << ", got " << ToString(got);
      }
    }
  }
  return certain;
}

StructInfoRef RankOnly(InferContext& c, const TensorInfo& x) {
  return c.ir().Tensor(x.ndim, x.dtype, x.vdevice);
}

std::vector<int> FrontAxes(const Call& call, const char* name, int ndim) {
  const std::vector<int64_t> written = IntsAttr(call, name);
  std::vector<int> axes;
  axes.reserve(written.size());
  for (int64_t axis : written) axes.push_back(FromFront(axis, ndim));
  return axes;
}

// Applies gamma and beta as requested by the call.
PrimRef Scaled(Te& te, const Call& call, PrimRef value, const Indices& at) {
  ScalarMath& m = te.math();
  if (FindBool(call, "scale")) value = m.Mul(value, te.At(te.Input(1), at));
  if (FindBool(call, "center")) value = m.Add(value, te.At(te.Input(2), at));
  return value;
}

}  // namespace

Result InferBatchNorm(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  LATHE_ASSIGN_OR_RETURN(const bool certain, CheckParameters(c, call, x, {axis}));
  if (certain) {
    return c.ir().Tuple({c.InfoOf(call.args[0]), c.InfoOf(call.args[3]), c.InfoOf(call.args[4])});
  }
  StructInfoRef vector = c.ir().Tensor(1, x[0]->dtype, x[0]->vdevice);
  return c.ir().Tuple({RankOnly(c, *x[0]), vector, vector});
}

// layer_norm, rms_norm.
Result InferLayerNorm(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, NeedInts(c, call, "axes"));
  LATHE_ASSIGN_OR_RETURN(const bool certain, CheckParameters(c, call, x, axes));
  return certain ? c.InfoOf(call.args[0]) : RankOnly(c, *x[0]);
}

// group_norm, instance_norm: gamma and beta have one number per channel.
Result InferGroupNorm(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const int64_t channel, NeedInt(c, call, "channel_axis"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> written, NeedInts(c, call, "axes"));
  LATHE_RETURN_IF_ERROR(CheckParameters(c, call, x, {channel}, Uncertain::kChecked).status());
  if (x[0]->ndim == ir::kUnknownRank) return c.InfoOf(call.args[0]);
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "channel_axis", channel, x[0]->ndim));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes,
                         NormalAxes(c, call, "axes", written, x[0]->ndim));
  if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
    return c.Error("op-attribute")
           << "'axes' of " << SurfaceName(call) << " contains the channel axis " << axis;
  }
  if (call.op()->name == "relax.nn.group_norm") {
    LATHE_ASSIGN_OR_RETURN(const int64_t groups, NeedInt(c, call, "num_groups"));
    if (groups < 1) {
      return c.Error("op-attribute")
             << "'num_groups' of " << SurfaceName(call) << " must be at least 1, got " << groups;
    }
    if (x[0]->dims() != nullptr) {
      ScalarMath m(c.ir());
      PrimRef channels = (*x[0]->dims())[axis];
      if (!c.CanEqual(m.FloorMod(channels, m.Int(groups)), m.Int(0))) {
        return c.Error("op-argument-shape")
               << DescribeArg(c, call, 0) << " has " << ToString(channels)
               << " channels, which cannot be divided into " << groups << " groups";
      }
    }
  }
  return c.InfoOf(call.args[0]);
}

// In training, the statistics are those of the batch, and update the moving averages.
absl::StatusOr<ir::PrimFunc> ComputeBatchNorm(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const int channel = FromFront(IntAttr(call, "axis"), ndim);
  std::vector<int> axes(ndim);
  std::iota(axes.begin(), axes.end(), 0);
  axes.erase(axes.begin() + channel);
  Statistics statistics(te, axes);
  const bool training = FindBool(call, "training");
  ir::BufferRef mean = training ? statistics.Mean() : te.Input(3);
  ir::BufferRef variance = training ? statistics.Variance(mean) : te.Input(4);
  const double momentum = FloatAttr(call, "momentum");
  const auto moved = [&](ir::BufferRef old, ir::BufferRef now) {
    return te.Compute("moved", old->shape, old->dtype, [&](const Indices& at) {
      if (!training) return te.At(old, at);
      const DType dtype = statistics.dtype();
      return m.Add(m.Mul(m.Cast(te.At(old, at), dtype), m.Const(1 - momentum, dtype)),
                   m.Mul(te.At(now, at), m.Const(momentum, dtype)));
    });
  };
  ir::BufferRef out = te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    const Indices at_channel = {at[channel]};
    const DType dtype = statistics.dtype();
    const PrimRef value =
        Normalized(m, statistics.Element(at), m.Cast(te.At(mean, at_channel), dtype),
                   m.Cast(te.At(variance, at_channel), dtype), FloatAttr(call, "epsilon"));
    return Scaled(te, call, value, at_channel);
  });
  return te.Finish({out, moved(te.Input(3), mean), moved(te.Input(4), variance)});
}

absl::StatusOr<ir::PrimFunc> ComputeLayerNorm(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const std::vector<int> axes = FrontAxes(call, "axes", static_cast<int>(x->shape.size()));
  Statistics statistics(te, axes);
  const bool rms = call.op()->name == "relax.nn.rms_norm";
  ir::BufferRef mean = rms ? nullptr : statistics.Mean();
  ir::BufferRef variance = rms ? statistics.MeanSquare() : statistics.Variance(mean);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    Indices place;
    for (int axis : axes) place.push_back(at[axis]);
    const Indices from = statistics.Of(at);
    const PrimRef zero = m.Const(0, statistics.dtype());
    const PrimRef value = Normalized(m, statistics.Element(at), rms ? zero : te.At(mean, from),
                                     te.At(variance, from), FloatAttr(call, "epsilon"));
    return rms ? m.Mul(value, te.At(te.Input(1), place)) : Scaled(te, call, value, place);
  })});
}

absl::StatusOr<ir::PrimFunc> ComputeGroupNorm(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const int channel = FromFront(IntAttr(call, "channel_axis"), ndim);
  Statistics statistics(te, FrontAxes(call, "axes", ndim), channel,
                        FindInt(call, "num_groups").value_or(0));
  ir::BufferRef mean = statistics.Mean();
  ir::BufferRef variance = statistics.Variance(mean);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    const Indices from = statistics.Of(at);
    const PrimRef value = Normalized(m, statistics.Element(at), te.At(mean, from),
                                     te.At(variance, from), FloatAttr(call, "epsilon"));
    return Scaled(te, call, value, {at[channel]});
  })});
}

}  // namespace lathe::ops
