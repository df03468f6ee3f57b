#include "generator/interp/eval_op.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/interp/eval_call_tir.h"
#include "generator/interp/eval_compute.h"
#include "generator/interp/eval_data_op.h"
#include "generator/interp/eval_external_op.h"
#include "generator/interp/eval_memory_op.h"
#include "generator/interp/eval_value_op.h"
#include "generator/ops/external_call.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

struct OpRow {
  absl::string_view name;
  absl::StatusOr<Value> (*eval)(const OpCall&);
};
constexpr OpRow kOpRows[] = {
    {"relax.assert_op", EvalAssert},
    {"relax.builtin.alloc_tensor", EvalAllocTensor},
    {"relax.builtin.stop_lift_params", EvalFirstArg},
    {"relax.call_dps_packed", EvalCallDpsPacked},
    {"relax.call_tir", EvalCallTir},
    {"relax.call_tir_inplace", EvalCallTir},
    {"relax.call_tir_with_grad", EvalCallTir},
    {"relax.dist.annotate_sharding", EvalFirstArg},
    {"relax.dist.call_tir_local_view", EvalCallTir},
    {"relax.dynamic_strided_slice", EvalDynamicStridedSlice},
    {"relax.grad.end_checkpoint", EvalFirstArg},
    {"relax.grad.no_grad", EvalFirstArg},
    {"relax.grad.start_checkpoint", EvalFirstArg},
    {"relax.hint_on_device", EvalHintOnDevice},
    {"relax.inspect.tensor_byte_offset", EvalInspect},
    {"relax.inspect.tensor_dtype_bits", EvalInspect},
    {"relax.inspect.tensor_dtype_code", EvalInspect},
    {"relax.inspect.tensor_dtype_lanes", EvalInspect},
    {"relax.inspect.tensor_elem_offset", EvalInspect},
    {"relax.inspect.tensor_ndim", EvalInspect},
    {"relax.inspect.tensor_shape_i", EvalInspect},
    {"relax.inspect.tensor_stride_i", EvalInspect},
    {"relax.make_closure", EvalMakeClosure},
    {"relax.memory.alloc_storage", EvalAllocStorage},
    {"relax.memory.alloc_tensor", EvalAllocTensorFrom},
    {"relax.memory.ensure_zero_offset", EvalEnsureZeroOffset},
    {"relax.memory.kill_storage", EvalNoOp},
    {"relax.memory.kill_tensor", EvalNoOp},
    {"relax.memory.view", EvalView},
    {"relax.nonzero", EvalNonzero},
    {"relax.null_value", EvalNull},
    {"relax.print", EvalPrint},
    {"relax.shape_of", EvalShapeOf},
    {"relax.shape_to_tensor", EvalShapeToTensor},
    {"relax.size", EvalSize},
    {"relax.tensor_to_shape", EvalTensorToShape},
    {"relax.to_vdevice", EvalToVDevice},
    {"relax.unique", EvalUnique},
    {"relax.vm.alloc_storage", EvalAllocStorage},
    {"relax.vm.alloc_tensor", EvalAllocTensorFrom},
    {"relax.vm.kill_object", EvalNoOp},
};

// Checks that all tensors are on one device. A tensor without a device is compatible with every
// device.
absl::Status CheckDevices(const OpCall& call, absl::Span<const Value> values,
                          const Tensor** first) {
  for (const Value& value : values) {
    if (const auto* fields = value.AsTuple()) {
      // The nesting of arguments is bounded by that of tuple literals in the text.
      for (const Value& field : *fields) {
        if (field.AsTensor() != nullptr) {
          LATHE_RETURN_IF_ERROR(CheckDevices(call, {&field, 1}, first));
        }
      }
    }
    const Tensor* tensor = value.AsTensor();
    if (tensor == nullptr || tensor->device == nullptr) continue;
    if (*first == nullptr) {
      *first = tensor;
    } else if (!(*(*first)->device == *tensor->device)) {
      return call.Error("run-mixed-devices")
             << "its arguments are on different devices, " << ToString(*(*first)->device) << " and "
             << ToString(*tensor->device) << "; R.to_vdevice moves a tensor";
    }
  }
  return absl::OkStatus();
}

}  // namespace

DiagnosticBuilder OpCall::Error(absl::string_view code) const {
  absl::string_view name = op.name;
  absl::ConsumePrefix(&name, "relax.");
  DiagnosticBuilder error = rt.diags->Error(loc, code);
  error << "R." << name << ": ";
  return error;
}

absl::StatusOr<Value> EvalOp(const OpCall& call) {
  const Tensor* placed = nullptr;
  const bool moves = call.op.name == "relax.to_vdevice" || call.op.name == "relax.hint_on_device" ||
                     call.op.name == "relax.print" || call.op.name == "relax.make_closure";
  if (!moves) LATHE_RETURN_IF_ERROR(CheckDevices(call, call.args, &placed));
  for (const OpRow& row : kOpRows) {
    if (row.name == call.op.name) return row.eval(call);
  }
  if (call.op.compute != nullptr) return EvalCompute(call);
  if (!ops::ExternalFunction(call.op).empty()) return EvalExternalOp(call);
  return call.rt.diags->Unsupported(call.loc, "run-unsupported-operator")
         << "the operator '" << call.op.name << "' cannot be evaluated"
         << (call.op.without_compute.empty() ? "" : ": ") << call.op.without_compute;
}

std::optional<CalledByOp> CallOfOp(const ir::Op& op, const std::vector<Value>& args) {
  const absl::string_view name = op.name;
  if (args.empty()) return std::nullopt;
  if (name == "relax.call_pure_packed" || name == "relax.call_inplace_packed") {
    return CalledByOp{args[0], {args.begin() + 1, args.end()}};
  }
  const bool with_tuple = name == "relax.invoke_closure" || name == "relax.invoke_pure_closure" ||
                          name == "relax.call_builtin_with_ctx" || name == "relax.vm.call_tir_dyn";
  if (!with_tuple || args.size() < 2 || args[1].AsTuple() == nullptr) return std::nullopt;
  CalledByOp called{args[0], *args[1].AsTuple()};
  if (name == "relax.vm.call_tir_dyn" && !called.args.empty()) {
    // The last argument may be a shape, whose dimensions become separate arguments.
    if (const auto* dims = called.args.back().AsShape()) {
      const Value shape = called.args.back();
      called.args.pop_back();
      for (int64_t dim : *dims) called.args.push_back(Value(Scalar::Int(dim)));
    }
  }
  return called;
}

absl::StatusOr<Value> CallForeign(Runtime& rt, const Value& callee, const std::vector<Value>& args,
                                  const ir::AttrMap& attrs, const Location& loc) {
  if (const PackedFunction* f = callee.AsPacked()) return rt.CallPacked(*f, args, attrs, loc);
  const auto* f = callee.As<PrimFuncValue>();
  if (f == nullptr) {
    return rt.diags->Error(loc, "run-malformed-program") << Describe(callee) << " cannot be called";
  }
  std::vector<PrimArg> prim_args;
  for (const Value& value : args) {
    std::optional<PrimArg> arg = AsPrimArg(value);
    if (!arg) {
      return rt.diags->Error(loc, "run-wrong-arguments")
             << "argument " << prim_args.size() + 1 << " of '" << f->global->name << "' is "
             << Describe(value) << ", but the arguments of a PrimFunc must be tensors and scalars";
    }
    prim_args.push_back(*std::move(arg));
  }
  const ir::PrimFunc& func = *f->global->prim_func();
  LATHE_ASSIGN_OR_RETURN(const Scalar result,
                         rt.CallPrimFunc(func, f->global->name, prim_args, loc));
  return func.ret ? Value(result) : Value::Unit();
}

std::optional<bool> AsCondition(const Value& value) {
  if (const Scalar* scalar = value.AsScalar()) {
    return scalar->dtype.is_bool() ? std::optional<bool>(scalar->IsTrue()) : std::nullopt;
  }
  const Tensor* tensor = value.AsTensor();
  if (tensor == nullptr || !tensor->dtype.is_bool() || tensor->ndim() != 0) return std::nullopt;
  return tensor->At(0).IsTrue();
}

}  // namespace lathe::interp
