// Infers the ccl and dist operators on tensors of several workers. They become calls of functions
// that the user links.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

absl::StatusOr<int64_t> Workers(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const int64_t workers, NeedInt(c, call, "num_workers"));
  if (workers >= 1) return workers;
  return c.Error("op-attribute") << "'num_workers' of " << SurfaceName(call)
                                 << " must be at least 1, got " << workers;
}

}  // namespace

Result InferAllReduce(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(TensorArg(c, call, 0).status());
  LATHE_RETURN_IF_ERROR(
      NeedOneOf(c, call, "op_type", {"sum", "prod", "min", "max", "avg"}).status());
  return c.InfoOf(call.args[0]);
}

// Concatenates the tensors of all workers along axis 0.
Result InferAllGather(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t workers, Workers(c, call));
  if (x->ndim == 0) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " must have at least 1 dimension, got 0";
  }
  const std::vector<PrimRef>* known = DimsOf(c, *x);
  if (known == nullptr) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  ScalarMath m(c.ir());
  std::vector<PrimRef> dims = *known;
  dims[0] = c.Simplify(m.Mul(dims[0], m.Int(workers)));
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

// Gives each worker one part of an axis: scatter_from_worker0, redistribute_replica_to_shard.
Result InferShard(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t workers, Workers(c, call));
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  const std::vector<PrimRef>* known = DimsOf(c, *x);
  if (known == nullptr) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, x->ndim));
  ScalarMath m(c.ir());
  std::vector<PrimRef> dims = *known;
  if (!c.CanEqual(m.FloorMod(dims[axis], m.Int(workers)), m.Int(0))) {
    return c.Error("op-argument-shape")
           << "axis " << axis << " of " << DescribeArg(c, call, 0) << " is " << ToString(dims[axis])
           << " and cannot be divided among " << workers << " workers";
  }
  if (x->sharding.has_value()) {
    // A distributed tensor has the shape of the whole; its placement describes the parts.
    if (x->sharding->placement != "R") {
      return c.Error("op-argument-kind")
             << DescribeArg(c, call, 0) << " must be replicated on a mesh of one axis, placement "
             << "\"R\", got \"" << x->sharding->placement << "\"";
    }
    ir::TensorInfo parted = *x;
    parted.sharding->placement = absl::StrCat("S[", axis, "]");
    return c.ir().Make(ir::StructInfo::Node(std::move(parted)));
  }
  dims[axis] = c.Simplify(m.FloorDiv(dims[axis], m.Int(workers)));
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

}  // namespace lathe::ops
