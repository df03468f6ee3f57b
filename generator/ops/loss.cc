// Implements losses: cross_entropy_with_logits, nll_loss.
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Checks predictions of (N, C, d1, ...) or (C,) against targets of (N, d1, ...) or ().
absl::Status CheckTargets(InferContext& c, const Call& call, const TensorInfo& predictions,
                          const TensorInfo& targets) {
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, targets));
  if (predictions.ndim == 0) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " must have at least 1 dimension, got 0";
  }
  if (predictions.ndim == ir::kUnknownRank) return absl::OkStatus();
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, targets, predictions.ndim - 1));
  const Dims *p = DimsOf(c, predictions), *t = DimsOf(c, targets);
  if (p == nullptr || t == nullptr) return absl::OkStatus();
  for (size_t i = 0; i < t->size(); ++i) {
    LATHE_RETURN_IF_ERROR(
        NeedSame(c, call, 0, 1, (*p)[i == 0 ? 0 : i + 1], (*t)[i], "a dimension"));
  }
  return absl::OkStatus();
}

}  // namespace

Result InferCrossEntropy(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SameDType(c, call, x));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  if (x[0]->ndim != ir::kUnknownRank) {
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *x[1], x[0]->ndim));
  }
  const Dims *a = DimsOf(c, *x[0]), *b = DimsOf(c, *x[1]);
  for (size_t i = 0; a != nullptr && b != nullptr && i < a->size(); ++i) {
    LATHE_RETURN_IF_ERROR(NeedSame(c, call, 0, 1, (*a)[i], (*b)[i], "a dimension"));
  }
  return c.ir().Tensor(Dims{}, dtype, device);
}

// -sum(predictions * labels), over the batch when there is one.
absl::StatusOr<ir::PrimFunc> ComputeCrossEntropy(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), labels = te.Input(1);
  const DType dtype = te.result_dtype(), wide = SumDType(dtype);
  ir::BufferRef sum =
      te.Reduce("sum", {}, x->shape, te.Sum(wide), [&](const Indices&, const Indices& r) {
        return m.Mul(m.Cast(te.At(x, r), wide), m.Cast(te.At(labels, r), wide));
      });
  const PrimRef batch = x->shape.size() > 1 ? x->shape[0] : m.Int(1);
  return te.Finish({te.Compute("out", {}, dtype, [&](const Indices&) {
    return m.Cast(m.Div(m.Neg(te.At(sum, {})), m.Cast(batch, wide)), dtype);
  })});
}

Result InferNllLoss(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const std::string reduction,
                         NeedOneOf(c, call, "reduction", {"none", "mean", "sum"}));
  LATHE_RETURN_IF_ERROR(CheckTargets(c, call, *x[0], *x[1]));
  DType dtype = x[0]->dtype;
  ir::VDeviceRef device = x[0]->vdevice;
  const Dims* p = DimsOf(c, *x[0]);
  if (x.size() > 2) {
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, 2, *x[2], 1));
    LATHE_ASSIGN_OR_RETURN(dtype, SameDType(c, call, {x[0], x[2]}));
    LATHE_ASSIGN_OR_RETURN(device, SameVDevice(c, call, {x[0], x[2]}));
    const Dims* w = DimsOf(c, *x[2]);
    if (p != nullptr && w != nullptr) {
      LATHE_RETURN_IF_ERROR(
          NeedSame(c, call, 0, 2, (*p)[p->size() == 1 ? 0 : 1], w->front(), "classes"));
    }
  }
  if (reduction != "none") return c.ir().Tensor(Dims{}, dtype, device);
  if (x[0]->dims() == nullptr) {
    const bool known = x[0]->ndim != ir::kUnknownRank;
    return c.ir().Tensor(known ? x[0]->ndim - 1 : ir::kUnknownRank, dtype, device);
  }
  Dims dims = *p;
  dims.erase(dims.begin() + (dims.size() == 1 ? 0 : 1));
  return c.ir().Tensor(std::move(dims), dtype, device);
}

// -weight[t] * predictions[n, t, ...]; targets equal to ignore_index contribute zero.
absl::StatusOr<ir::PrimFunc> ComputeNllLoss(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), targets = te.Input(1);
  ir::BufferRef weights = te.inputs() > 2 ? te.Input(2) : nullptr;
  const DType dtype = te.result_dtype();
  const PrimRef ignored = m.Int(IntAttr(call, "ignore_index"));
  const PrimRef zero = m.Const(0, dtype);
  const auto weight = [&](const Indices& at) {
    const PrimRef t = m.Cast(te.At(targets, at), DType::Int(64));
    const PrimRef own = weights == nullptr ? m.Const(1, dtype) : te.At(weights, {t});
    return m.IfThenElse(m.Ne(t, ignored), own, zero);
  };
  const auto loss = [&](const Indices& at) {
    const PrimRef t = m.Cast(te.At(targets, at), DType::Int(64));
    Indices from = at;
    from.insert(from.begin() + (at.empty() ? 0 : 1), t);
    const PrimRef own = weights == nullptr ? m.Const(1, dtype) : te.At(weights, {t});
    return m.IfThenElse(m.Ne(t, ignored), m.Mul(m.Neg(te.At(x, from)), own), zero);
  };
  const std::string reduction = FindString(call, "reduction");
  if (reduction == "none") {
    return te.Finish({te.Compute("out", targets->shape, dtype, loss)});
  }
  const auto total = [&](const char* name, const auto& each) {
    return te.Reduce(name, {}, targets->shape, te.Sum(SumDType(dtype)),
                     [&](const Indices&, const Indices& r) { return each(r); });
  };
  ir::BufferRef sum = total("sum", loss);
  if (reduction == "sum" && sum->dtype == dtype) return te.Finish({sum});
  ir::BufferRef count = reduction == "sum" ? nullptr : total("count", weight);
  return te.Finish({te.Compute("out", {}, dtype, [&](const Indices&) {
    const PrimRef value = te.At(sum, {});
    return m.Cast(count == nullptr ? value : m.Div(value, te.At(count, {})), dtype);
  })});
}

}  // namespace lathe::ops
