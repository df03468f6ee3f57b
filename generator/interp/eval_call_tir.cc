#include "generator/interp/eval_call_tir.h"

#include "generator/ops/call_tir.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// A single result is returned as is; several results, none, or a requested tuple become a tuple.
absl::StatusOr<Value> Results(const OpCall& call, std::vector<Value> outputs) {
  const auto& infos = call.call.sinfo_args;
  const bool single = infos.size() == 1 && infos[0]->As<ir::TupleInfo>() == nullptr;
  if (single && outputs.size() == 1) return std::move(outputs[0]);
  absl::StatusOr<Value> tuple = Value::OfTuple(std::move(outputs), call.rt.budget);
  if (!tuple.ok()) return call.rt.Report(tuple.status(), "run-memory-limit", call.loc);
  return tuple;
}

// The arguments of the callee: the fields of a tuple, or the single argument.
std::vector<Value> ArgumentsIn(const Value& value) {
  const auto* fields = value.AsTuple();
  return fields == nullptr ? std::vector<Value>{value} : *fields;
}

}  // namespace

ir::VDeviceRef DeviceOf(absl::Span<const Value> values) {
  for (const Value& value : values) {
    const Tensor* tensor = value.AsTensor();
    if (tensor != nullptr && tensor->device != nullptr) return tensor->device;
  }
  return nullptr;
}

absl::StatusOr<Value> NewOutput(const OpCall& call, ir::StructInfoRef info, ir::VDeviceRef device) {
  const auto* tensor = info->As<ir::TensorInfo>();
  if (tensor == nullptr || tensor->dtype.is_void()) {
    return call.Error() << "its results must be tensors of known shape and dtype, not "
                        << call.rt.Show(info);
  }
  std::vector<int64_t> dims;
  if (tensor->dims() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(dims, call.rt.EvalDims(*tensor->dims(), call.scope, call.loc));
  } else {
    const auto* var = tensor->shape_var();
    const Value* bound = var == nullptr ? nullptr : call.scope.Find(*var);
    if (bound == nullptr || bound->AsShape() == nullptr) {
      return call.Error() << "its results must be tensors of known shape and dtype, not "
                          << call.rt.Show(info);
    }
    dims = *bound->AsShape();
  }
  absl::StatusOr<TensorRef> output =
      NewTensor(tensor->dtype, std::move(dims), call.rt.budget,
                tensor->vdevice != nullptr ? tensor->vdevice : device);
  if (!output.ok()) return call.rt.Report(output.status(), "run-bad-allocation", call.loc);
  return Value(*std::move(output));
}

absl::StatusOr<Value> EvalCallTir(const OpCall& call) {
  const auto* f = call.args.empty() ? nullptr : call.args[0].As<PrimFuncValue>();
  if (f == nullptr || call.args.size() < 2) {
    return call.Error() << "its arguments must be a PrimFunc of the module and a tuple";
  }
  const ir::PrimFunc& func = *f->global->prim_func();
  const std::vector<Value> args = ArgumentsIn(call.args[1]);
  const auto* extra = call.args.size() > 2 ? call.args[2].AsShape() : nullptr;
  const ir::VDeviceRef device = DeviceOf(args);
  const std::vector<ir::StructInfoRef> infos = ops::CallTirOutputs(call.call);
  const std::vector<int64_t> inplace = ops::InplaceIndices(call.call, infos.size());
  std::vector<Value> outputs;
  std::vector<Value> fresh;
  for (size_t n = 0; n < infos.size(); ++n) {
    const int64_t index = n < inplace.size() ? inplace[n] : -1;
    if (index >= static_cast<int64_t>(args.size())) {
      return call.Error() << "argument " << index << " does not exist and cannot be overwritten";
    }
    if (index >= 0) {
      outputs.push_back(args[static_cast<size_t>(index)]);
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(Value output, NewOutput(call, infos[n], device));
    outputs.push_back(output);
    fresh.push_back(std::move(output));
  }
  const auto slots =
      ops::CallTirSlots(func, args.size(), extra == nullptr ? 0 : extra->size(), inplace);
  if (!slots) {
    return call.Error() << "'" << f->global->name << "' takes "
                        << CountOf(func.params.size(), "parameter") << ", got "
                        << CountOf(args.size(), "argument") << ", "
                        << (extra == nullptr ? 0 : extra->size()) << " sizes and "
                        << CountOf(fresh.size(), "output");
  }
  std::vector<PrimArg> prim_args;
  for (const ops::CallTirSlot& slot : *slots) {
    const size_t n = static_cast<size_t>(slot.index);
    if (slot.from == ops::CallTirSlot::From::kTirVar) {
      prim_args.push_back(Scalar::Int((*extra)[n]));
      continue;
    }
    const bool is_output = slot.from == ops::CallTirSlot::From::kOutput;
    // Indices of outputs include those that are in place.
    const Value& value = is_output ? outputs[n] : args[n];
    std::optional<PrimArg> arg = AsPrimArg(value);
    if (!arg)
      return call.Error() << "the arguments of a PrimFunc must be tensors and scalars, got "
                          << Describe(value);
    prim_args.push_back(*std::move(arg));
  }
  LATHE_ASSIGN_OR_RETURN([[maybe_unused]] const Scalar ignored,
                         call.rt.CallPrimFunc(func, f->global->name, prim_args, call.loc));
  return Results(call, std::move(outputs));
}

absl::StatusOr<Value> EvalCallDpsPacked(const OpCall& call) {
  if (call.args.size() < 2) return call.Error() << "its arguments must be a function and a tuple";
  std::vector<Value> args = ArgumentsIn(call.args[1]);
  const ir::VDeviceRef device = DeviceOf(args);
  std::vector<Value> outputs;
  for (ir::StructInfoRef info : ops::CallTirOutputs(call.call)) {
    LATHE_ASSIGN_OR_RETURN(Value output, NewOutput(call, info, device));
    args.push_back(output);
    outputs.push_back(std::move(output));
  }
  LATHE_ASSIGN_OR_RETURN([[maybe_unused]] const Value ignored,
                         CallForeign(call.rt, call.args[0], args, call.call.attrs, call.loc));
  return Results(call, std::move(outputs));
}

}  // namespace lathe::interp
