#include "generator/lower/lower_function.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/lower/boxed_sizes.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/check_functions.h"
#include "generator/lower/copy_constants.h"
#include "generator/lower/for_each_option.h"
#include "generator/lower/for_each_rank.h"
#include "generator/lower/join_forms.h"
#include "generator/lower/lower_call.h"
#include "generator/lower/lower_result.h"
#include "generator/lower/lower_tail_recursion.h"
#include "generator/lower/match_form.h"
#include "generator/lower/routine_builder.h"
#include "generator/lower/state_part.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

class Bodies {
 public:
  Bodies(RoutineBuilder& b, const ir::Function& f, bool in_place_of_call) : b_(b), f_(f) {
    if (!b.may_view()) b.AddWritten(WrittenValues(b.lowering, f, in_place_of_call));
  }

  // Stores the function's result in `to`.
  void Deliver(const Form& to) { In(f_.body, to, true); }

  // Returns the function's result, or nothing after a report.
  std::optional<Form> Result() {
    auto form = ValueOf(f_.body);
    if (form) CheckResult(*form);
    return form;
  }

  // Binds the parameters and emits the checks of their annotations. Returns false after a report.
  bool Enter(const std::vector<Form>& args, const Location& loc) {
    SizeMatch match(b_.lowering.ir);
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f_.params[i]];
      if (!MatchForm(b_.lowering.program, args[i], param.info, param.name, match)) {
        b_.lowering.Unsupported(loc)
            << "the argument for '" << param.name << "' must be " << ir::ToString(param.info)
            << ", but has another structure, and cannot be lowered to C; " << kSupported;
        return false;
      }
      b_.Bind(f_.params[i], args[i]);
    }
    for (const auto& [var, value] : match.mapping()) b_.Define(var, value);
    b_.EmitChecks(match, loc);
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f_.params[i]];
      CheckFunctions(b_, args[i], param.info, param.name, loc);
      UnboxSizes(b_, args[i], param.info, param.name, loc);
      const auto value = AsBoxed(b_.lowering.program, args[i]);
      if (value) b_.Bind(f_.params[i], *Unbox(b_, *value, param.info, param.name, loc));
    }
    return true;
  }

 private:
  // Lowers the bindings of the body and stores its result in `to`. A tail call at the end of the
  // function may become a loop.
  void In(const ir::Body& body, const Form& to, bool at_end) { From({body}, to, at_end); }

  // Lowers the bindings of the body and returns its result.
  std::optional<Form> ValueOf(const ir::Body& body) {
    for (At at{body}; at.Here() != nullptr; at.Step()) {
      const ir::Binding& binding = *at.Here();
      if (FindUnknownRank(b_, binding)) {
        const auto result = b_.NewResult(InfoOf(body), "result", ir::Home::kArena, body.result_loc);
        if (result) From(at, *result, false);
        return result;
      }
      auto form = Placed(binding);
      if (!form && b_.rank_depth > 0) return std::nullopt;  // the run ended, or it was reported
      if (form) b_.Bind(binding.var, *std::move(form));
    }
    return b_.FormOf(body.result, body.result_loc);
  }

  // Matches the result with the function's annotation: the last check of a call.
  void CheckResult(const Form& form) {
    if (f_.ret == nullptr) return;
    const std::string what = "the result";
    if (!CheckForm(b_, form, f_.ret, what, f_.ret_loc)) b_.EndRun(what, f_.ret_loc);
  }

  // A position in a body.
  struct At {
    const ir::Body& body;
    size_t block = 0;
    size_t binding = 0;

    // Returns null after the last binding.
    const ir::Binding* Here() {
      while (block < body.blocks.size() && binding == body.blocks[block].bindings.size()) {
        ++block;
        binding = 0;
      }
      return block == body.blocks.size() ? nullptr : &body.blocks[block].bindings[binding];
    }
    void Step() { ++binding; }
  };

  // Lowers the bindings from `at` on and stores the result in `to`. At a binding that needs the
  // rank of a tensor of dynamic rank, all remaining bindings are lowered once for each rank.
  void From(At at, const Form& to, bool at_end) {
    const ir::Body& body = at.body;
    for (; at.Here() != nullptr; at.Step()) {
      const ir::Binding& binding = *at.Here();
      if (const auto id = FindUnknownRank(b_, binding)) {
        ForEachRank(b_, binding, *id, [&] { From(at, to, at_end); });
        return;
      }
      if (&binding == LastOf(body) && AtEnd(binding, to, at_end)) return;
      auto form = Placed(binding);
      if (!form && b_.rank_depth > 0) return;  // the run ended, or it was reported
      if (form) b_.Bind(binding.var, *std::move(form));
    }
    if (const auto result = b_.FormOf(body.result, body.result_loc)) {
      if (at_end) CheckResult(*result);
      (void)b_.Deliver(*result, to, body.result_loc);
    }
  }

  ir::StructInfoRef InfoOf(const ir::Body& body) const {
    return analysis::KnownInfo(b_.lowering.ir, b_.lowering.module, body.result);
  }

  // Returns the last binding if its value is the result.
  static const ir::Binding* LastOf(const ir::Body& body) {
    const auto* value = body.result.As<ir::ValueId>();
    if (value == nullptr || body.blocks.empty() || body.blocks.back().bindings.empty()) {
      return nullptr;
    }
    const ir::Binding& last = body.blocks.back().bindings.back();
    return last.var == *value ? &last : nullptr;
  }

  // Returns whether the body ends with a call of its own function.
  bool EndsWithCall(const ir::Body& body) const {
    const ir::Binding* last = LastOf(body);
    if (last == nullptr) return false;
    if (const auto* call = std::get_if<ir::Call>(&last->rhs)) return CallsItself(b_, *call);
    const auto* branch = std::get_if<ir::If>(&last->rhs);
    return branch != nullptr &&
           (EndsWithCall(branch->then_body) || EndsWithCall(branch->else_body));
  }

  // Lowers a body's last binding if it needs special treatment. Returns false otherwise. A branch
  // whose result structure is dynamic stores its result in `to` itself.
  bool AtEnd(const ir::Binding& b, const Form& to, bool at_end) {
    const auto* call = std::get_if<ir::Call>(&b.rhs);
    if (call != nullptr && at_end) return LowerTailRecursion(b_, b, *call);
    const auto* branch = std::get_if<ir::If>(&b.rhs);
    if (branch == nullptr) return false;
    const bool again =
        at_end && (EndsWithCall(branch->then_body) || EndsWithCall(branch->else_body));
    const bool open = AsBoxed(b_.lowering.program, to).has_value();
    return (again || open) && Branches(b, *branch, to, at_end);
  }

  // A tensor that is created on a device is in the memory that the device is declared with.
  std::optional<Form> Placed(const ir::Binding& b) {
    auto form = BindCaptured(b);
    if (form && b_.written().Has(b.var)) CopyConstants(b_, *form, b.loc);
    const auto value = form ? AsBoxed(b_.lowering.program, *form) : std::nullopt;
    if (value) {
      const ir::Value& known = b_.lowering.module.values[b.var];
      form = Unbox(b_, *value, known.info, known.name, b.loc);
    }
    const auto* info = b_.lowering.module.values[b.var].info->As<ir::TensorInfo>();
    const auto* id = form ? form->As<ir::TensorId>() : nullptr;
    if (info == nullptr || info->vdevice == nullptr || id == nullptr) return form;
    ir::Tensor& tensor = b_.lowering.program.tensors[b_.lowering.program.Whole(*id)];
    if (tensor.vdevice == nullptr) tensor.vdevice = info->vdevice;
    if (tensor.home == ir::Home::kArena && tensor.scope.empty()) {
      tensor.scope = info->vdevice->scope;
    }
    return form;
  }

  std::optional<Form> BindCaptured(const ir::Binding& b) {
    if (const auto choice = ChoiceIn(b_, b)) {
      const bool written = b_.written().Has(b.var);
      return ForEachOption(b_, b, *choice, written, [&] {
        auto form = BindCaptured(b);
        if (form && written) CopyConstants(b_, *form, b.loc);
        return form;
      });
    }
    return Match(
        b.rhs, [&](const ir::Operand& o) { return Annotated(b, b_.FormOf(o, b.loc)); },
        [&](const ir::Call& c) { return LowerCall(b_, b, c); },
        [&](const ir::GetField& g) { return Annotated(b, Field(b, g)); },
        [&](const ir::MatchCast& m) { return Cast(b, b_.FormOf(m.value, b.loc), m.info); },
        [&](const ir::If& i) { return Branch(b, i); },
        [&](const ir::Function&) -> std::optional<Form> {
          b_.lowering.Unsupported(b.loc) << "a function created at run time cannot be lowered "
                                            "to C; "
                                         << kSupported;
          return std::nullopt;
        });
  }

  std::optional<Form> Field(const ir::Binding& b, const ir::GetField& g) {
    const auto form = b_.FormOf(g.tuple, b.loc);
    if (!form) return std::nullopt;
    const auto* tuple = form->As<TupleForm>();
    const size_t index = static_cast<size_t>(g.index);
    if (tuple != nullptr && index < tuple->fields.size()) return tuple->fields[index];
    b_.lowering.Unsupported(b.loc)
        << "a field access of a value that is not known to be a tuple cannot be lowered to C; "
        << kSupported;
    return std::nullopt;
  }

  std::optional<Form> Branch(const ir::Binding& b, const ir::If& branch) {
    const ir::Value& value = b_.lowering.module.values[b.var];
    if (!HasAllSizes(value.info) || b_.written().Has(b.var)) return Joined(b, branch);
    const auto result = b_.NewResult(value.info, value.name, ir::Home::kArena, b.loc);
    if (!result || !Branches(b, branch, *result, false)) return std::nullopt;
    return result;
  }

  // Returns nothing after a report.
  std::optional<ir::Part> Condition(const ir::Binding& b, const ir::If& branch) {
    const auto cond = b_.FormOf(branch.cond, b.loc);
    if (!cond) return std::nullopt;
    const std::vector<ir::Part> parts = PartsOf(*cond);
    const auto* id = parts.size() == 1 ? std::get_if<ir::TensorId>(&parts[0]) : nullptr;
    if (id != nullptr) return b_.AsScalar(*id);
    if (parts.size() == 1) return parts[0];
    b_.lowering.Unsupported(b.loc)
        << "a condition that is not a scalar cannot be lowered to C; " << kSupported;
    return std::nullopt;
  }

  // The structure of the result is known only after both sides are lowered.
  std::optional<Form> Joined(const ir::Binding& b, const ir::If& branch) {
    const auto cond = Condition(b, branch);
    if (!cond) return std::nullopt;
    const bool written = b_.written().Has(b.var);
    ir::BranchStep step{*cond, {}, {}};
    std::optional<Form> forms[2];
    {
      RoutineBuilder::InBranch in(b_, step.then_steps);
      forms[0] = ValueOf(branch.then_body);
      if (forms[0] && written) CopyConstants(b_, *forms[0], b.loc);
    }
    {
      RoutineBuilder::InBranch in(b_, step.else_steps);
      forms[1] = ValueOf(branch.else_body);
      if (forms[1] && written) CopyConstants(b_, *forms[1], b.loc);
    }
    if (!forms[0] || !forms[1]) return std::nullopt;
    Form joined = JoinForms(b_, b_.lowering.module.values[b.var].name, *forms[0], *forms[1],
                            step.then_steps, step.else_steps, written, b.loc);
    b_.Emit(std::move(step), b.loc);
    return joined;
  }

  // Returns false after a report.
  bool Branches(const ir::Binding& b, const ir::If& branch, const Form& to, bool at_end) {
    const auto cond = Condition(b, branch);
    if (!cond) return at_end;  // reported: the rest can be skipped
    b_.EmitBranch(
        *cond, [&] { In(branch.then_body, to, at_end); }, [&] { In(branch.else_body, to, at_end); },
        b.loc);
    return true;
  }

  // Checks the parts of the annotation that are not known to hold.
  std::optional<Form> Annotated(const ir::Binding& b, std::optional<Form> form) {
    ir::StructInfoRef annotation = b_.lowering.module.values[b.var].annotation;
    if (annotation == nullptr || annotation->As<ir::FuncInfo>() != nullptr) return form;
    return Cast(b, std::move(form), annotation);
  }

  std::optional<Form> Cast(const ir::Binding& b, std::optional<Form> form, ir::StructInfoRef info) {
    if (!form) return std::nullopt;
    const std::string& name = b_.lowering.module.values[b.var].name;
    if (const auto value = AsBoxed(b_.lowering.program, *form)) {
      UnboxSizesOf(b_, *value, info, name, b.loc);
      return Unbox(b_, *value, info, name, b.loc);
    }
    if (CheckForm(b_, *form, info, name, b.loc)) return form;
    if (b_.EndRankChoice(name, b.loc)) return std::nullopt;
    // A value that cannot match ends the run, if this is reached: in a routine that is generated
    // for one structure, it may be the branch for another one.
    if (CanUnbox(info)) {
      if (const auto value = Box(b_, *form, name, b.loc))
        return Unbox(b_, *value, info, name, b.loc);
      return std::nullopt;
    }
    b_.lowering.Unsupported(b.loc) << "R.match_cast to " << ir::ToString(info)
                                   << " of a value that cannot match it, or whose structure is "
                                      "unknown, cannot be lowered to C; "
                                   << kSupported;
    return std::nullopt;
  }

  RoutineBuilder& b_;
  const ir::Function& f_;
};

}  // namespace

bool CanInline(const RoutineBuilder& b, ir::GlobalId id) {
  return !b.lowering.calls.Recursive(id, id) &&
         b.lowering.module.globals[id].function() != &b.function &&
         b.lowering.inlined_depth < kMaxInlineDepth && b.lowering.inlined_count < kMaxInlined;
}

std::optional<Form> InlineFunction(RoutineBuilder& b, ir::GlobalId id,
                                   const std::vector<Form>& args, const Location& loc) {
  const ir::Global& global = b.lowering.module.globals[id];
  const ir::Function& f = *global.function();
  const auto refuse = [&](absl::string_view why) -> std::optional<Form> {
    b.lowering.Unsupported(loc)
        << "'" << global.name
        << "', whose parameter or result types depend on its calls, cannot be lowered to C: " << why
        << "; " << kSupported;
    return std::nullopt;
  };
  if (b.may_view() && WritesInPlace(b.lowering.module, f.body)) return refuse("it writes in place");
  const RoutineBuilder::Frame frame(b);
  ++b.lowering.inlined_depth;
  ++b.lowering.inlined_count;
  Bodies body(b, f, true);
  std::optional<Form> result;
  bool entered = body.Enter(args, loc);
  for (const auto& [var, value] : b.scope()) {
    // Sizes are expressed in the routine's variables, which must not have another meaning in the
    // body.
    if (!entered || value == var || !b.IsKnownAtEntry(var)) continue;
    (void)refuse("it has the same shape variables as its caller");
    entered = false;
  }
  if (entered) result = body.Result();
  --b.lowering.inlined_depth;
  return result;
}

void LowerFunction(Lowering& lowering, const Signature& signature, const ir::Function& f) {
  RoutineBuilder builder(lowering, signature.id, f);
  builder.next_state = NextState(f);
  for (size_t i = 0; i < f.params.size(); ++i) {
    const Form& param = signature.params[i];
    const ir::Value& said = lowering.module.values[f.params[i]];
    const auto value = AsBoxed(lowering.program, param);
    UnboxSizes(builder, param, said.info, said.name, said.loc);
    if (!CheckParts(builder, param, said.info, said.name, said.loc)) {
      builder.EndRun(said.name, said.loc);
    }
    builder.Bind(f.params[i],
                 value ? *Unbox(builder, *value, said.info, said.name, said.loc) : param);
  }
  Bodies bodies(builder, f, false);
  if (signature.by_body) {
    if (const auto form = bodies.Result()) {
      (void)AddOutputs(builder, f.body.result, *form, f.body.result_loc);
    }
  } else if (signature.returns) {
    const auto form = bodies.Result();
    if (form && !ReturnForm(builder, *form, signature.result, f.body.result_loc)) {
      lowering.Unsupported(f.body.result_loc)
          << "the result of '" << lowering.program.routines[signature.id].name
          << "' differs in structure from its declaration and cannot be lowered to C; "
          << kSupported;
    }
  } else {
    bodies.Deliver(signature.result);
  }
  lowering.program.routines[signature.id].steps = builder.Take();
}

}  // namespace lathe::lower
