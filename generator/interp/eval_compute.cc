#include "generator/interp/eval_compute.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/interp/concrete_info.h"
#include "generator/interp/eval_call_tir.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

// Infers from the concrete structure of arguments.
class InferWithValues final : public ir::InferContext {
 public:
  explicit InferWithValues(const OpCall& call) : call_(call) {}
  ir::Context& ir() override { return call_.rt.ir; }
  const ir::Module& module() const override { return call_.rt.module; }
  StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return ConcreteInfo(call_.rt, operand, call_.scope);
  }
  std::string Show(const ir::Operand& operand) const override {
    const auto* id = operand.As<ir::ValueId>();
    return id == nullptr ? std::string("it") : call_.rt.NameOf(*id);
  }
  PrimRef Simplify(PrimRef e) override { return analysis::Simplify(call_.rt.ir, e); }
  ir::Tri ProveEqual(PrimRef a, PrimRef b) override {
    return analysis::ProveEqual(call_.rt.ir, a, b);
  }
  ir::Tri ProveLessEqual(PrimRef a, PrimRef b) override {
    return analysis::ProveLessEqual(call_.rt.ir, a, b);
  }
  DiagnosticBuilder Error(absl::string_view code) override {
    return call_.rt.diags->Error(call_.loc, code);
  }
  DiagnosticBuilder Warning(absl::string_view code) override {
    return call_.rt.diags->Warning(call_.loc, code);
  }

 private:
  const OpCall& call_;
};

class ComputeWithValues final : public ir::ComputeContext {
 public:
  ComputeWithValues(const OpCall& call, StructInfoRef result) : call_(call), result_(result) {}
  ir::Context& ir() override { return call_.rt.ir; }
  StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return ConcreteInfo(call_.rt, operand, call_.scope);
  }
  StructInfoRef ResultInfo() const override { return result_; }

 private:
  const OpCall& call_;
  StructInfoRef result_;
};

// The loop nest for arguments of these infos, generated once.
absl::StatusOr<const ComputedOp*> Computed(const OpCall& call) {
  std::vector<StructInfoRef> infos;
  for (const ir::Operand& arg : call.call.args) {
    infos.push_back(ConcreteInfo(call.rt, arg, call.scope));
  }
  std::unique_ptr<ComputedOp>& entry = call.rt.computed[{&call.call, std::move(infos)}];
  if (entry != nullptr) return entry.get();
  auto made = std::make_unique<ComputedOp>();
  LATHE_ASSIGN_OR_RETURN(made->result, InferResult(call));
  if (!ConcreteTensors(made->result)) {
    return call.rt.diags->Unsupported(call.loc, "run-unsupported-operator")
           << "the operator '" << call.op.name
           << "' cannot be evaluated: the shape of its result is not known from its arguments";
  }
  ComputeWithValues context(call, made->result);
  absl::StatusOr<ir::PrimFunc> func = call.op.compute(context, call.call);
  if (!func.ok()) {
    return call.rt.diags->Unsupported(call.loc, "run-unsupported-operator")
           << "the operator '" << call.op.name
           << "' cannot be evaluated: " << func.status().message();
  }
  made->func = *std::move(func);
  entry = std::move(made);
  return entry.get();
}

void AppendTensors(const Value& value, std::vector<PrimArg>* args) {
  if (const auto* tensor = value.As<TensorRef>()) args->push_back(*tensor);
  if (const auto* fields = value.AsTuple()) {
    // Tuple arguments of such an operator contain tensors, not tuples.
    for (const Value& field : *fields) {
      if (const auto* tensor = field.As<TensorRef>()) args->push_back(*tensor);
    }
  }
}

// Allocates a value of `info`. The new tensors are added to `args` too.
absl::StatusOr<Value> NewResult(const OpCall& call, StructInfoRef info, ir::VDeviceRef device,
                                std::vector<PrimArg>* args) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    std::vector<Value> fields;
    for (StructInfoRef field : tuple->fields) {
      LATHE_ASSIGN_OR_RETURN(Value value, NewResult(call, field, device, args));
      fields.push_back(std::move(value));
    }
    absl::StatusOr<Value> value = Value::OfTuple(std::move(fields), call.rt.budget);
    if (!value.ok()) return call.rt.Report(value.status(), "run-memory-limit", call.loc);
    return value;
  }
  LATHE_ASSIGN_OR_RETURN(Value output, NewOutput(call, info, device));
  args->push_back(*output.As<TensorRef>());
  return output;
}

}  // namespace

absl::StatusOr<StructInfoRef> InferResult(const OpCall& call) {
  if (call.op.infer == nullptr) return call.rt.ir.Object();
  InferWithValues context(call);
  return call.op.infer(context, call.call);
}

absl::StatusOr<Value> EvalCompute(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const ComputedOp* computed, Computed(call));
  std::vector<PrimArg> args;
  for (const Value& value : call.args) AppendTensors(value, &args);
  const auto inputs = static_cast<std::ptrdiff_t>(args.size());
  LATHE_ASSIGN_OR_RETURN(Value result,
                         NewResult(call, computed->result, DeviceOf(call.args), &args));
  // Loops over tensors without elements may still be long.
  const bool empty = std::all_of(args.begin() + inputs, args.end(), [](const PrimArg& arg) {
    const auto* tensor = std::get_if<TensorRef>(&arg);
    return tensor != nullptr && (*tensor)->num_elements() == 0;
  });
  if (empty) return result;
  LATHE_ASSIGN_OR_RETURN([[maybe_unused]] const Scalar ignored,
                         call.rt.CallPrimFunc(computed->func, call.op.name, args, call.loc));
  return result;
}

}  // namespace lathe::interp
