#include "generator/ops/call_tir.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/call_tir_signature.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

bool IsCallTir(const ir::Op& op) {
  return op.name == "relax.call_tir" || op.name == "relax.call_tir_inplace" ||
         op.name == "relax.call_tir_with_grad";
}

std::vector<StructInfoRef> CallTirOutputs(const Call& call) {
  if (call.sinfo_args.size() == 1) {
    if (const auto* tuple = call.sinfo_args[0]->As<ir::TupleInfo>()) return tuple->fields;
  }
  return call.sinfo_args;
}

std::vector<int64_t> InplaceIndices(const Call& call, size_t outputs) {
  std::optional<std::vector<int64_t>> indices = FindInts(call, "inplace_indices");
  return indices.has_value() ? *std::move(indices) : std::vector<int64_t>(outputs, -1);
}

std::optional<std::vector<CallTirSlot>> CallTirSlots(const ir::PrimFunc& func, size_t args,
                                                     size_t tir_vars,
                                                     const std::vector<int64_t>& inplace_indices) {
  using From = CallTirSlot::From;
  std::vector<CallTirSlot> slots, scalars, outputs;
  for (size_t i = 0; i < args; ++i) slots.push_back({From::kArg, static_cast<int>(i)});
  for (size_t i = 0; i < tir_vars; ++i) scalars.push_back({From::kTirVar, static_cast<int>(i)});
  for (size_t i = 0; i < inplace_indices.size(); ++i) {
    if (inplace_indices[i] < 0) outputs.push_back({From::kOutput, static_cast<int>(i)});
  }
  if (func.params.size() != slots.size() + scalars.size() + outputs.size()) return std::nullopt;
  const bool scalars_last = std::all_of(
      func.params.end() - scalars.size(), func.params.end(),
      [](const auto& param) { return param.buffer == nullptr && !param.var->dtype().is_handle(); });
  const auto& second = scalars_last ? outputs : scalars;
  const auto& third = scalars_last ? scalars : outputs;
  slots.insert(slots.end(), second.begin(), second.end());
  slots.insert(slots.end(), third.begin(), third.end());
  return slots;
}

namespace {

bool SameDims(InferContext& c, const TensorInfo& a, const TensorInfo& b) {
  if (a.dims() == nullptr || b.dims() == nullptr || a.ndim != b.ndim) return false;
  for (size_t i = 0; i < a.dims()->size(); ++i) {
    if (c.ProveEqual((*a.dims())[i], (*b.dims())[i]) != ir::Tri::kYes) return false;
  }
  return true;
}

absl::Status CheckInplaceOutput(InferContext& c, const Call& call, int64_t index, StructInfoRef arg,
                                StructInfoRef output) {
  const auto* in = arg->As<TensorInfo>();
  const auto* out = output->As<TensorInfo>();
  if (in != nullptr && out != nullptr && in->dtype == out->dtype && SameDims(c, *in, *out)) {
    return absl::OkStatus();
  }
  return c.Error("inplace-indices") << "argument " << index << " of " << SurfaceName(call)
                                    << " cannot become the output: it is " << Show(c, arg)
                                    << ", the output is " << Show(c, output);
}

}  // namespace

absl::Status CheckCallTirOutputs(InferContext& c, const Call& call,
                                 const std::vector<StructInfoRef>& outputs, bool need_dtype) {
  for (StructInfoRef output : outputs) {
    const auto* tensor = output->As<TensorInfo>();
    const bool dims = tensor != nullptr && tensor->dims() != nullptr;
    if (dims && !(need_dtype && tensor->dtype.is_void())) continue;
    DiagnosticBuilder error = c.Error("call-tir-output");
    if (tensor != nullptr && tensor->shape_var() != nullptr) {
      const std::string name = c.Show(ir::Operand{*tensor->shape_var()});
      std::move(error).Help(absl::StrCat("match its dimensions before the call, R.match_cast(",
                                         name,
                                         ", R.Shape([n, m])), and write R.Tensor((n, m), ...)"));
    }
    return std::move(error) << "an output of " << SurfaceName(call)
                            << " must be a tensor with explicit dimensions"
                            << (need_dtype ? " and an explicit dtype" : "") << ", got "
                            << Show(c, output);
  }
  return absl::OkStatus();
}

absl::Status CheckInplaceIndices(InferContext& c, const Call& call,
                                 const std::vector<int64_t>& indices, size_t args) {
  std::vector<bool> seen(args, false);
  for (int64_t index : indices) {
    if (index < -1 || index >= static_cast<int64_t>(args)) {
      return c.Error("inplace-indices")
             << "'inplace_indices' of " << SurfaceName(call) << " holds " << index
             << ", but the call has " << CountOf(args, "argument");
    }
    if (index < 0) continue;
    if (seen[index]) {
      return c.Error("inplace-indices") << "'inplace_indices' of " << SurfaceName(call)
                                        << " names argument " << index << " twice";
    }
    seen[index] = true;
  }
  if (std::find(seen.begin(), seen.end(), true) == seen.end()) {
    return c.Error("inplace-indices")
           << "'inplace_indices' of " << SurfaceName(call)
           << " names no argument: at least one must be written in place";
  }
  return absl::OkStatus();
}

absl::StatusOr<StructInfoRef> InferCallTir(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 1));
  const auto* callee = call.args[0].As<ir::GlobalId>();
  const ir::PrimFunc* func = callee == nullptr ? nullptr : c.module().globals[*callee].prim_func();
  if (func == nullptr) {
    return c.Error("call-tir-callee")
           << "the first argument of " << SurfaceName(call)
           << " must be a PrimFunc of the module; '" << c.Show(call.args[0]) << "' is not";
  }
  const std::vector<StructInfoRef> outputs = CallTirOutputs(call);
  LATHE_RETURN_IF_ERROR(CheckCallTirOutputs(c, call, outputs, /*need_dtype=*/true));
  LATHE_ASSIGN_OR_RETURN(const std::vector<StructInfoRef> args, CallTirArgs(c, call));
  const std::vector<int64_t> inplace = InplaceIndices(call, outputs.size());
  if (call.op()->name == "relax.call_tir_inplace") {
    if (inplace.size() != outputs.size()) {
      return c.Error("inplace-indices")
             << "'inplace_indices' of " << SurfaceName(call) << " holds "
             << CountOf(inplace.size(), "number") << " for " << CountOf(outputs.size(), "output");
    }
    LATHE_RETURN_IF_ERROR(CheckInplaceIndices(c, call, inplace, args.size()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (inplace[i] < 0) continue;
      LATHE_RETURN_IF_ERROR(CheckInplaceOutput(c, call, inplace[i], args[inplace[i]], outputs[i]));
    }
  }
  LATHE_RETURN_IF_ERROR(CheckSignature(c, call, *callee, *func, args, outputs, inplace));
  return outputs.size() == 1 ? outputs[0] : c.ir().Tuple(outputs);
}

}  // namespace lathe::ops
