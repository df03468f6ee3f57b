// Implements matrix products: R.matmul, R.outer. Leading dimensions are batches, which broadcast. A
// vector is a row on the left and a column on the right.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
absl::StatusOr<StructInfoRef> InferMatmul(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* a, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* b, TensorArg(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, {a, b}));
  DType dtype = FindDType(call, "out_dtype");
  if (dtype.is_void()) {
    LATHE_ASSIGN_OR_RETURN(dtype, SameDType(c, call, {a, b}));
  }
  for (int i : {0, 1}) {
    if ((i == 0 ? a : b)->ndim == 0) {
      return c.Error("op-argument-rank")
             << DescribeArg(c, call, i) << " must have at least 1 dimension, got 0";
    }
  }
  if (a->ndim == ir::kUnknownRank || b->ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, dtype, device);
  }
  const int batch = std::max(0, std::max(a->ndim, b->ndim) - 2);
  const int ndim = batch + (a->ndim > 1) + (b->ndim > 1);
  if (a->dims() == nullptr || b->dims() == nullptr) return c.ir().Tensor(ndim, dtype, device);
  PrimRef k_a = a->dims()->back();
  PrimRef k_b = (*b->dims())[b->ndim == 1 ? 0 : b->ndim - 2];
  if (!c.CanEqual(k_a, k_b)) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 0) << " and " << DescribeArg(c, call, 1)
           << " do not multiply: the last dimension of the first is " << ToString(k_a)
           << ", the matching dimension of the second is " << ToString(k_b);
  }
  LATHE_ASSIGN_OR_RETURN(std::optional<Dims> out,
                         BroadcastDims(c, call, 0, BatchOf(*a->dims()), 1, BatchOf(*b->dims())));
  if (!out.has_value()) return c.ir().Tensor(ndim, dtype, device);
  if (a->ndim > 1) out->push_back((*a->dims())[a->ndim - 2]);
  if (b->ndim > 1) out->push_back(b->dims()->back());
  return c.ir().Tensor(*std::move(out), dtype, device);
}

absl::StatusOr<ir::PrimFunc> ComputeMatmul(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef a = te.Input(0), b = te.Input(1);
  const bool rows = a->shape.size() > 1, columns = b->shape.size() > 1;
  // Only the batch broadcasts.
  const auto over = [&](ir::BufferRef x) {
    Dims dims(te.result_dims().begin(), te.result_dims().end() - rows - columns);
    dims.insert(dims.end(), x->shape.end() - 2, x->shape.end());
    return dims;
  };
  return te.Finish(
      {te.SumUp("matmul", te.result_dims(), {a->shape.back()}, te.result_dtype(),
                [&](DType wide, const Indices& at, const Indices& r) {
                  const Indices batch(at.begin(), at.end() - rows - columns);
                  Indices left = batch, right = batch;
                  if (rows) left.push_back(at[batch.size()]);
                  left.push_back(r[0]);
                  right.push_back(r[0]);
                  if (columns) right.push_back(at.back());
                  // A vector has no batch.
                  const PrimRef x = rows ? te.AtBroadcast(a, left, over(a)) : te.At(a, {r[0]});
                  const PrimRef y = columns ? te.AtBroadcast(b, right, over(b)) : te.At(b, {r[0]});
                  return te.math().Mul(te.math().Cast(x, wide), te.math().Cast(y, wide));
                })});
}

absl::StatusOr<StructInfoRef> InferOuter(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* a, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* b, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *a, 1));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *b, 1));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, {a, b}));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SameDType(c, call, {a, b}));
  if (a->dims() == nullptr || b->dims() == nullptr) return c.ir().Tensor(2, dtype, device);
  return c.ir().Tensor(Dims{a->dims()->front(), b->dims()->front()}, dtype, device);
}

absl::StatusOr<ir::PrimFunc> ComputeOuter(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  return te.Finish(
      {te.Compute("outer", te.result_dims(), te.result_dtype(), [&](const Indices& at) {
        return te.math().Mul(te.At(te.Input(0), {at[0]}), te.At(te.Input(1), {at[1]}));
      })});
}

}  // namespace lathe::ops
