// Implements collapse_sum_to and collapse_sum_like, which sum over broadcast dimensions.
#include <utility>
#include <vector>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Checks that every dimension of `to` equals that of `from`, or is 1.
absl::Status CheckCollapse(InferContext& c, const Call& call, const Dims& from, const Dims& to) {
  if (to.size() > from.size()) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " has " << CountOf(from.size(), "dimension")
           << " and cannot collapse to " << to.size();
  }
  for (size_t i = 1; i <= to.size(); ++i) {
    PrimRef want = to[to.size() - i], have = from[from.size() - i];
    if (c.CanEqualOrBeOne(want, have)) continue;
    return c.Error("op-argument-shape")
           << "dimension " << from.size() - i << " of " << DescribeArg(c, call, 0) << " is "
           << ToString(have) << " and cannot collapse to " << ToString(want);
  }
  return absl::OkStatus();
}

}  // namespace

Result InferCollapseSumTo(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* shape, ShapeArg(c, call, 1));
  const Dims* from = DimsOf(c, *x);
  if (from != nullptr && shape->values.has_value()) {
    LATHE_RETURN_IF_ERROR(CheckCollapse(c, call, *from, *shape->values));
  }
  return TensorOfShapeArg(c, call, 1, x->dtype, x->vdevice);
}

Result InferCollapseSumLike(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* target, TensorArg(c, call, 1));
  const Dims *from = DimsOf(c, *x), *to = DimsOf(c, *target);
  if (from != nullptr && to != nullptr) {
    LATHE_RETURN_IF_ERROR(CheckCollapse(c, call, *from, *to));
  }
  return WithDType(c.ir(), *target, x->dtype);
}

absl::StatusOr<ir::PrimFunc> ComputeCollapseSum(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const Dims& to = te.result_dims();
  const size_t lead = x->shape.size() - to.size();
  // The removed axes, and those that became 1 or may have.
  std::vector<bool> summed(x->shape.size(), false);
  Dims over;
  for (size_t i = 0; i < x->shape.size(); ++i) {
    summed[i] = i < lead || to[i - lead] != x->shape[i];
    if (summed[i]) over.push_back(x->shape[i]);
  }
  ScalarMath& m = te.math();
  const auto is_one = [](PrimRef dim) {
    const int64_t* size = AsInt(dim);
    return size != nullptr && *size == 1;
  };
  return te.Finish({te.SumUp(
      "collapse", to, over, x->dtype, [&](DType wide, const Indices& at, const Indices& r) {
        Indices from;
        PrimRef counts = m.ir().Bool(true);
        size_t next = 0;
        for (size_t i = 0; i < summed.size(); ++i) {
          from.push_back(summed[i] ? r[next++] : at[i - lead]);
          if (!summed[i] || i < lead || is_one(to[i - lead])) continue;
          counts = m.And(counts, m.Or(m.Eq(to[i - lead], m.Int(1)), m.Eq(from[i], at[i - lead])));
        }
        const PrimRef element = m.Cast(te.At(x, from), wide);
        if (counts == m.ir().Bool(true)) return element;
        return m.Select(counts, element, m.Const(0, wide));
      })});
}

}  // namespace lathe::ops
