// Infers calls of packed functions in several conventions, of closures and of run-time built-ins.
#include <algorithm>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/call_tir.h"
#include "generator/ops/call_tir_signature.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The specification's default derivation: the info that the call specifies.
StructInfoRef FromSInfoArgs(InferContext& c, const Call& call) {
  if (call.sinfo_args.empty()) return c.ir().Object();
  if (call.sinfo_args.size() == 1) return call.sinfo_args[0];
  return c.ir().Tuple(call.sinfo_args);
}

// Checks that the callee is a packed function, a function without known parameters.
absl::StatusOr<const ir::FuncInfo*> PackedCallee(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  const auto* func = c.InfoOf(call.args[0])->As<ir::FuncInfo>();
  if (func != nullptr && !func->params.has_value()) return func;
  return c.Error("packed-callee") << "the first argument of " << SurfaceName(call)
                                  << " must be a packed function, but " << c.Show(call.args[0])
                                  << " has type " << Show(c, c.InfoOf(call.args[0]));
}

StructInfoRef ResultOf(InferContext& c, const Call& call, const ir::FuncInfo& callee) {
  switch (callee.derive) {
    case ir::Derive::kDefault:
      return FromSInfoArgs(c, call);
    case ir::Derive::kEmpty:
      return c.ir().Object();
    case ir::Derive::kNone:
      break;
  }
  return callee.ret;
}

absl::Status NeedResultInfo(InferContext& c, const Call& call) {
  if (!call.sinfo_args.empty()) return absl::OkStatus();
  return c.Error("packed-result") << SurfaceName(call)
                                  << " needs the structural information of its result "
                                     "(sinfo_args=...)";
}

}  // namespace

Result InferCallPurePacked(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::FuncInfo* callee, PackedCallee(c, call));
  LATHE_RETURN_IF_ERROR(NeedResultInfo(c, call));
  return ResultOf(c, call, *callee);
}

Result InferCallInplacePacked(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::FuncInfo* callee, PackedCallee(c, call));
  LATHE_RETURN_IF_ERROR(NeedResultInfo(c, call));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, NeedInts(c, call, "inplace_indices"));
  LATHE_RETURN_IF_ERROR(CheckInplaceIndices(c, call, indices, call.args.size() - 1));
  StructInfoRef result = ResultOf(c, call, *callee);
  const auto* tuple = result->As<ir::TupleInfo>();
  if (indices.size() > 1 && (tuple == nullptr || tuple->fields.size() != indices.size())) {
    return c.Error("inplace-indices")
           << "'inplace_indices' of " << SurfaceName(call) << " refers to "
           << CountOf(indices.size(), "result") << ", but the result is " << Show(c, result);
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0) continue;
    // The argument itself is returned, so the two infos must be compatible.
    StructInfoRef arg = c.InfoOf(call.args[indices[i] + 1]);
    StructInfoRef part = indices.size() > 1 ? tuple->fields[i] : result;
    const auto* in = arg->As<ir::TensorInfo>();
    const auto* out = part->As<ir::TensorInfo>();
    if (in == nullptr || out == nullptr) continue;
    const bool ranks = in->ndim == out->ndim || in->ndim < 0 || out->ndim < 0;
    const bool dtypes = in->dtype == out->dtype || in->dtype.is_void() || out->dtype.is_void();
    bool dims = true;
    if (ranks && in->dims() != nullptr && out->dims() != nullptr) {
      for (int d = 0; d < in->ndim; ++d) {
        dims &= c.ProveEqual((*in->dims())[d], (*out->dims())[d]) != ir::Tri::kNo;
      }
    }
    if (!ranks || !dtypes || !dims) {
      return c.Error("inplace-indices") << "argument " << indices[i] << " of " << SurfaceName(call)
                                        << " cannot become the result: it is " << Show(c, arg)
                                        << ", the result is " << Show(c, part);
    }
  }
  return result;
}

Result InferCallDpsPacked(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(PackedCallee(c, call).status());
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(CallTirArgs(c, call).status());
  const std::vector<StructInfoRef> outputs = CallTirOutputs(call);
  // The specification requires only the shape, but evaluation needs a dtype.
  LATHE_RETURN_IF_ERROR(CheckCallTirOutputs(c, call, outputs, /*need_dtype=*/false));
  return outputs.size() == 1 ? outputs[0] : c.ir().Tuple(outputs);
}

Result InferFromOut(InferContext& c, const Call& call) {
  const std::vector<StructInfoRef> outputs = CallTirOutputs(call);
  return outputs.size() == 1 ? outputs[0] : c.ir().Tuple(outputs);
}

// Without a specified result, the call returns the empty tuple.
Result InferCallBuiltin(InferContext& c, const Call& call) {
  return call.sinfo_args.empty() ? c.ir().Tuple({}) : FromSInfoArgs(c, call);
}

Result InferInvokeClosure(InferContext& c, const Call& call) { return FromSInfoArgs(c, call); }

Result InferObject(InferContext& c, const Call&) { return c.ir().Object(); }

Result InferNothing(InferContext& c, const Call&) { return c.ir().Tuple({}); }

}  // namespace lathe::ops
