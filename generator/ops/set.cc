// Infers operators whose result size depends on data: unique, nonzero.
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

absl::StatusOr<bool> FlagArg(InferContext& c, const Call& call, int i) {
  LATHE_ASSIGN_OR_RETURN(ir::PrimRef value, PrimArg(c, call, i));
  if (const int64_t* known = AsInt(value)) return *known != 0;
  return c.Error("op-argument-kind")
         << DescribeArg(c, call, i) << " must be the literal True or False";
}

}  // namespace

Result InferUnique(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  const bool has_axis = call.args.size() > 5;
  if (has_axis) {
    LATHE_ASSIGN_OR_RETURN(ir::PrimRef axis, PrimArg(c, call, 5));
    const int64_t* known = AsInt(axis);
    if (known != nullptr && x->ndim != ir::kUnknownRank) {
      LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", *known, x->ndim).status());
    }
  }
  const auto vector = [&](DType dtype) {
    if (x->ndim == 0) {
      return c.ir().Tensor(std::vector<ir::PrimRef>{c.ir().Int(1)}, dtype, x->vdevice);
    }
    return c.ir().Tensor(1, dtype, x->vdevice);
  };
  std::vector<StructInfoRef> outputs = {
      has_axis && x->ndim != 0 ? c.ir().Tensor(x->ndim, x->dtype, x->vdevice) : vector(x->dtype)};
  for (int i : {2, 3, 4}) {
    LATHE_ASSIGN_OR_RETURN(const bool wanted, FlagArg(c, call, i));
    if (wanted) outputs.push_back(vector(DType::Int(64)));
  }
  return outputs.size() == 1 ? outputs[0] : c.ir().Tuple(outputs);
}

// One row per dimension, one column per nonzero element.
Result InferNonzero(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  return c.ir().Tensor(2, DType::Int(64), x->vdevice);
}

}  // namespace lathe::ops
