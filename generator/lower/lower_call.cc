#include "generator/lower/lower_call.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/op.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/call_dynamic_function.h"
#include "generator/lower/call_into_outputs.h"
#include "generator/lower/check_functions.h"
#include "generator/lower/copy_constants.h"
#include "generator/lower/lower_function.h"
#include "generator/lower/lower_inspection.h"
#include "generator/lower/lower_memory.h"
#include "generator/lower/lower_operator.h"
#include "generator/lower/lower_packed.h"
#include "generator/lower/lower_shape_of.h"
#include "generator/lower/lower_to_device.h"
#include "generator/lower/match_form.h"
#include "generator/lower/returned_params.h"
#include "generator/ops/call_tir.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

class CallLowering {
 public:
  CallLowering(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call)
      : b_(b), binding_(binding), call_(call) {}

  std::optional<Form> Lower() {
    return Match(
        call_.callee, [&](const ir::Op* op) { return Operator(*op); },
        [&](ir::ValueId id) { return ValueCall(id); },
        [&](ir::GlobalId id) { return FormCall(Form{id}); },
        [&](const ir::ExternFunc& f) { return FormCall(Form{f}); });
  }

 private:
  std::optional<Form> Refuse(absl::string_view what) {
    b_.lowering.Unsupported(binding_.loc) << what << " cannot be lowered to C yet; " << kSupported;
    return std::nullopt;
  }

  const std::string& name() const { return b_.lowering.module.values[binding_.var].name; }

  std::optional<Form> Argument(size_t index) { return b_.FormOf(call_.args[index], binding_.loc); }
  // Lowers the call of a variable that holds one known function.
  std::optional<Form> ValueCall(ir::ValueId id) {
    const auto callee = b_.FormOf(ir::Operand{id}, binding_.loc);
    return callee ? FormCall(*callee) : std::nullopt;
  }

  std::optional<Form> FormCall(const Form& callee) {
    std::vector<Form> args;
    if (!Arguments(call_.args, args)) return std::nullopt;
    return CallForm(callee, std::move(args));
  }

  bool Arguments(const std::vector<ir::Operand>& operands, std::vector<Form>& args) {
    for (const ir::Operand& operand : operands) {
      auto form = b_.FormOf(operand, binding_.loc);
      if (!form) return false;
      args.push_back(*std::move(form));
    }
    return true;
  }

  // Lowers the call of a known function or of a choice of functions.
  std::optional<Form> CallForm(const Form& callee, std::vector<Form> args) {
    if (const auto* global = callee.As<ir::GlobalId>()) return Global(*global, args);
    if (const auto* f = callee.As<ir::ExternFunc>()) {
      return LowerPackedCall(b_, binding_, std::move(args), call_.sinfo_args, f->name);
    }
    if (const auto* closure = callee.As<ClosureForm>()) {
      args.insert(args.end(), closure->captured.begin(), closure->captured.end());
      return Global(closure->function, args);
    }
    if (const auto value = AsBoxed(b_.lowering.program, callee)) return CallValue(*value, args);
    if (const auto* choice = callee.As<ChoiceForm>()) {
      const auto result = b_.NewResult(b_.lowering.module.values[binding_.var].info, name(),
                                       ir::Home::kArena, binding_.loc);
      if (!result || !Choose(*choice, 0, args, *result)) return std::nullopt;
      return result;
    }
    // After a branch, the value may be no function on one of its sides.
    return EndRunAtCall(b_, binding_, b_.lowering.module.values[binding_.var].info);
  }

  // Emits the branches for option `n` and later ones. Returns false after a report.
  bool Choose(const ChoiceForm& choice, size_t n, const std::vector<Form>& args, const Form& to) {
    if (n + 1 == choice.options.size()) return CallInto(choice.options[n], args, to);
    ir::Context& ir = b_.lowering.ir;
    const PrimRef is_it = ir.Make(ir::BinaryOp::kEq, choice.which, ir.Int(static_cast<int64_t>(n)));
    bool good = true;
    b_.EmitBranch(
        is_it, [&] { good = CallInto(choice.options[n], args, to); },
        [&] { good = Choose(choice, n + 1, args, to) && good; }, binding_.loc);
    return good;
  }

  std::optional<Form> CallValue(TensorId value, const std::vector<Form>& args) {
    in_value_ = true;
    auto result = CallDynamicFunction(
        b_, binding_, b_.lowering.module.values[binding_.var].info, value, args,
        [&](const Form& callee, const Form& to) { return CallInto(callee, args, to); });
    in_value_ = false;
    return result;
  }

  bool CallInto(const Form& callee, const std::vector<Form>& args, const Form& to) {
    is_converted_ = true;
    const auto result = CallForm(callee, args);
    is_converted_ = false;
    if (!result) return false;
    (void)CheckForm(b_, *result, b_.InfoOf(to), name(), binding_.loc);
    return b_.Deliver(*result, to, binding_.loc);
  }

  std::optional<Form> MakeClosure() {
    const auto callee = Argument(0);
    const auto captured = Argument(1);
    if (!callee || !captured) return std::nullopt;
    const auto* tuple = captured->As<TupleForm>();
    if (tuple == nullptr) return Refuse("a closure whose captured values are not a tuple");
    // As in the interpreter, closures are of Relax functions only.
    const auto* id = callee->As<ir::GlobalId>();
    if (id != nullptr && b_.lowering.module.globals[*id].prim_func() != nullptr) {
      b_.EndRun("R.make_closure of a PrimFunc", binding_.loc);
    }
    return Keeping(*callee, tuple->fields);
  }

  // Returns the closure of the function with `kept` as its last arguments.
  std::optional<Form> Keeping(const Form& callee, std::vector<Form> kept) {
    if (const auto* global = callee.As<ir::GlobalId>()) {
      return Form{ClosureForm{*global, std::move(kept)}};
    }
    if (const auto* closure = callee.As<ClosureForm>()) {
      kept.insert(kept.end(), closure->captured.begin(), closure->captured.end());
      return Form{ClosureForm{closure->function, std::move(kept)}};
    }
    if (const auto value = AsBoxed(b_.lowering.program, callee)) {
      const auto bound = BindCaptured(b_, *value, std::move(kept), name(), binding_.loc);
      return bound ? std::optional(Form{*bound}) : std::nullopt;
    }
    const auto* choice = callee.As<ChoiceForm>();
    if (choice == nullptr) return Refuse("a closure of a value that is not a function");
    ChoiceForm all{choice->which, {}};
    for (const Form& option : choice->options) {
      auto one = Keeping(option, kept);
      if (!one) return std::nullopt;
      all.options.push_back(*std::move(one));
    }
    return Form{std::move(all)};
  }

  // Returns the callee operand of the operator and its arguments, or nothing after a report.
  std::optional<std::pair<Form, std::vector<Form>>> CalleeAndArguments() {
    const auto callee = Argument(0);
    const auto args = Argument(1);
    const auto* tuple = args ? args->As<TupleForm>() : nullptr;
    if (callee && tuple != nullptr) return std::pair(*callee, tuple->fields);
    if (callee && args) (void)Refuse("a call whose arguments are not a tuple");
    return std::nullopt;
  }

  std::optional<Form> InvokeClosure() {
    auto given = CalleeAndArguments();
    return given ? CallForm(given->first, std::move(given->second)) : std::nullopt;
  }

  // The dimensions of a trailing shape argument are passed as separate arguments.
  std::optional<Form> CallTirDyn() {
    auto given = CalleeAndArguments();
    if (!given) return std::nullopt;
    std::vector<Form>& args = given->second;
    if (const ShapeForm* last = args.empty() ? nullptr : args.back().As<ShapeForm>()) {
      const ShapeForm shape = *last;
      args.pop_back();
      for (PrimRef dim : shape.dims) args.push_back(Form{dim});
    }
    return CallForm(given->first, std::move(args));
  }

  std::optional<Form> Operator(const ir::Op& op) {
    const absl::string_view op_name = op.name;
    if (op_name == "relax.call_tir" || op_name == "relax.call_tir_inplace" ||
        op_name == "relax.call_tir_with_grad" || op_name == "relax.dist.call_tir_local_view") {
      return LowerCallTir(b_, binding_, call_);
    }
    if (absl::StartsWith(op_name, "relax.inspect.")) return LowerInspection(b_, binding_, call_);
    // Hints to earlier passes, and operators on tensors that already start at their own memory.
    for (absl::string_view same :
         {"relax.builtin.stop_lift_params", "relax.grad.no_grad", "relax.grad.start_checkpoint",
          "relax.grad.end_checkpoint", "relax.memory.ensure_zero_offset",
          "relax.dist.annotate_sharding"}) {
      if (op_name == same) return Argument(0);
    }
    if (op_name == "relax.null_value") return Form{Nothing{}};
    if (op_name == "relax.make_closure") return MakeClosure();
    if (op_name == "relax.invoke_closure" || op_name == "relax.invoke_pure_closure") {
      return InvokeClosure();
    }
    if (op_name == "relax.vm.call_tir_dyn") return CallTirDyn();
    if (op_name == "relax.shape_of") return LowerShapeOf(b_, binding_, call_);
    if (op_name == "relax.tensor_to_shape") return LowerTensorToShape(b_, binding_, call_);
    if (op_name == "relax.to_vdevice" || op_name == "relax.hint_on_device") {
      return LowerToDevice(b_, binding_, call_);
    }
    if (op_name == "relax.assert_op") return Assert();
    if (op_name == "relax.call_dps_packed") return LowerCallDpsPacked(b_, binding_, call_);
    if (CallsPackedValue(op)) {
      const auto callee = Argument(0);
      if (!callee) return std::nullopt;
      if (!IsExternal(b_, *callee)) return CallPacked(*callee);
    }
    if (CallsPacked(op)) return LowerPackedOp(b_, binding_, call_);
    if (IsMemoryOperator(op)) return LowerMemoryOperator(b_, binding_, call_);
    return LowerOperator(b_, binding_, call_);
  }

  // Calls a function of the module or a function known only at run time.
  std::optional<Form> CallPacked(const Form& callee) {
    std::vector<ir::Operand> given(call_.args.begin() + 1, call_.args.end());
    const auto* tuple = given.size() == 1 ? given[0].As<ir::TupleExpr>() : nullptr;
    const bool in_tuple = call_.op()->name == "relax.call_builtin_with_ctx" && tuple != nullptr;
    std::vector<Form> args;
    if (!Arguments(in_tuple ? tuple->fields : given, args)) return std::nullopt;
    return CallForm(callee, std::move(args));
  }

  std::optional<Form> Assert() {
    const auto form = Argument(0);
    if (!form) return std::nullopt;
    const std::vector<ir::Part> parts = PartsOf(*form);
    if (parts.size() != 1) return Refuse("R.assert_op of a value that is not a scalar");
    b_.Emit(ir::AssertStep{parts[0], "R.assert_op"}, binding_.loc);
    return Form{Nothing{}};
  }

  std::optional<Form> Global(ir::GlobalId id, const std::vector<Form>& args) {
    const ir::Global& global = b_.lowering.module.globals[id];
    if (global.prim_func() != nullptr) return LowerDirectCall(b_, binding_, args, id);
    if (global.function() != nullptr) return Function(id, args);
    return LowerPackedCall(b_, binding_, args, call_.sinfo_args, global.name);
  }

  std::optional<Form> Function(ir::GlobalId id, std::vector<Form> args) {
    const ir::Function& f = *b_.lowering.module.globals[id].function();
    if (f.params.size() != args.size())
      return Refuse("a call with a different number of arguments than parameters");
    for (size_t i = 0; i < args.size(); ++i) {
      if (b_.lowering.effects.Writes(id, i)) CopyConstants(b_, args[i], binding_.loc);
    }
    // A function without a routine of its own is inlined or specialized for these arguments.
    const bool whole = b_.lowering.CanBeRoutine(f);
    if (!whole && !in_value_ && CanInline(b_, id)) {
      return InlineFunction(b_, id, args, binding_.loc);
    }
    const Signature* signature =
        whole ? b_.lowering.SignatureOf(id) : b_.lowering.SpecializedSignature(id, args);
    if (signature == nullptr) return std::nullopt;
    ir::CallStep step;
    step.routine = signature->id;
    std::vector<Form> fitted;
    SizeMatch match(b_.lowering.ir);
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f.params[i]];
      const auto given =
          ConvertForm(b_, args[i], signature->params[i], param.info, param.name, binding_.loc);
      if (!given) return std::nullopt;
      const std::vector<ir::Part> actual = PartsOf(*given);
      const std::vector<ir::Part> formal = PartsOf(signature->params[i]);
      if (actual.size() != formal.size())
        return Refuse("an argument whose structure differs from the parameter's");
      for (size_t k = 0; k < actual.size(); ++k) {
        if (!Pass(formal[k], actual[k], match)) return std::nullopt;
      }
      step.inputs.insert(step.inputs.end(), actual.begin(), actual.end());
      fitted.push_back(*given);
    }
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f.params[i]];
      SetDeclaredSizes(b_.lowering.ir, b_.lowering.program, fitted[i], param.info, match);
    }
    // Substitutes the sizes of the other arguments.
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f.params[i]];
      ir::StructInfoRef info = analysis::Substitute(b_.lowering.ir, param.info, match.mapping());
      CheckFunctions(b_, args[i], info, param.name, binding_.loc);
    }
    if (signature->returns) return Returned(*signature, f, match, std::move(step));
    // The callee writes tensors of its own result sizes: an annotation that contradicts them fails
    // here. If the variable's type leaves the sizes open, as for a choice of functions, the
    // callee's sizes are used. One of several functions may also return a value of another
    // structure, which is converted.
    ir::StructInfoRef info = b_.lowering.module.values[binding_.var].info;
    if (is_converted_ || (!HasAllSizes(info) && HasAllSizes(f.ret_info))) {
      info = analysis::Substitute(b_.lowering.ir, f.ret_info, match.mapping());
    }
    auto result = b_.NewResult(WithoutReturnedParams(b_.lowering.ir, *signature, info), name(),
                               ir::Home::kArena, binding_.loc);
    if (!result) return std::nullopt;
    AppendParts(*result, step.outputs);
    InsertReturnedParams(*signature, fitted, f.ret_info->As<ir::TupleInfo>() != nullptr, *result);
    const std::vector<ir::Part>& outputs = b_.lowering.program.routines[signature->id].outputs;
    if (step.outputs.size() != outputs.size())
      return Refuse("a result whose structure differs from the declared one");
    for (size_t k = 0; k < outputs.size(); ++k) {
      const bool tensor = std::holds_alternative<TensorId>(outputs[k]);
      if (tensor && !Pass(outputs[k], step.outputs[k], match)) return std::nullopt;
    }
    if (!Sizes(match, step)) return std::nullopt;
    b_.Emit(std::move(step), binding_.loc);
    return result;
  }

  // Returns false after a report.
  bool Sizes(SizeMatch& match, ir::CallStep& step) {
    b_.EmitChecks(match, binding_.loc);
    for (PrimRef size : b_.lowering.program.routines[step.routine].sizes) {
      const auto it = match.mapping().find(size);
      if (it == match.mapping().end()) {
        (void)Refuse("a call that does not determine all shape variables of the function");
        return false;
      }
      step.sizes.push_back(b_.Resolve(it->second));
    }
    return true;
  }

  // Results with sizes that only the callee determines.
  std::optional<Form> Returned(const Signature& signature, const ir::Function& f, SizeMatch& match,
                               ir::CallStep step) {
    auto result = b_.lowering.ReturnedForm(f.ret_info, name(), [&](PrimRef var) {
      b_.Define(var, var);
      b_.Emit(ir::DefineStep{var}, binding_.loc);
      step.outputs.emplace_back(var);
    });
    if (!result ||
        step.outputs.size() != b_.lowering.program.routines[signature.id].outputs.size()) {
      return Refuse("a result whose structure differs from the declared one");
    }
    for (const ir::Part& part : PartsOf(*result)) {
      if (const auto* id = std::get_if<TensorId>(&part)) step.returned.push_back(*id);
    }
    if (!Sizes(match, step)) return std::nullopt;
    b_.Emit(std::move(step), binding_.loc);
    return result;
  }

  bool Pass(const ir::Part& formal, const ir::Part& actual, SizeMatch& match) {
    const auto* to = std::get_if<TensorId>(&formal);
    const auto* from = std::get_if<TensorId>(&actual);
    if ((to == nullptr) != (from == nullptr)) {
      (void)Refuse("an argument whose structure differs from the parameter's");
      return false;
    }
    if (to == nullptr) {
      const PrimRef wanted = std::get<PrimRef>(formal), got = std::get<PrimRef>(actual);
      match.Set(wanted, got);
      match.NeedSizeFor(wanted, got, ir::ToString(wanted));
      return true;
    }
    const ir::Tensor& wanted = b_.lowering.program.tensors[*to];
    const ir::Tensor& got = b_.lowering.program.tensors[*from];
    if (wanted.shape.size() != got.shape.size() || wanted.dtype != got.dtype) {
      (void)Refuse(absl::StrCat("an argument for '", wanted.name,
                                "' whose rank or dtype differs from the declared one"));
      return false;
    }
    for (size_t i = 0; i < got.shape.size(); ++i) {
      match.Add(wanted.shape[i], got.shape[i], absl::StrCat("dimension ", i, " of ", wanted.name));
    }
    return true;
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ir::Call& call_;
  // The callee was known only at run time. Inlining its body might not terminate if it calls itself
  // the same way.
  bool in_value_ = false;
  // One of several functions is called, whose result is converted to a common structure.
  bool is_converted_ = false;
};

}  // namespace

std::optional<Form> LowerCall(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call) {
  return CallLowering(b, binding, call).Lower();
}

}  // namespace lathe::lower
