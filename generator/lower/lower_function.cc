#include "generator/lower/lower_function.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/lower/join_forms.h"
#include "generator/lower/lower_again.h"
#include "generator/lower/lower_call.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

class Bodies {
 public:
  explicit Bodies(RoutineBuilder& b) : b_(b) {}

  // The body's bindings, and its result where `to` is. What stands at the end of the function may
  // start it over.
  void In(const ir::Body& body, const Form& to, bool at_end) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        if (at_end && &binding == LastOf(body) && AtEnd(binding, to)) return;
        if (auto form = Bound(binding)) b_.Bind(binding.var, *std::move(form));
      }
    }
    if (const auto result = b_.FormOf(body.result, body.result_loc)) {
      (void)b_.Deliver(*result, to, body.result_loc);
    }
  }

  // The body's bindings; what its result is.
  std::optional<Form> ValueOf(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        if (auto form = Bound(binding)) b_.Bind(binding.var, *std::move(form));
      }
    }
    return b_.FormOf(body.result, body.result_loc);
  }

  // Parameters as they are declared, and the checks that they are so. False after a report.
  bool Enter(const ir::Function& f, const std::vector<Form>& args, const Location& loc) {
    SizeMatch match(b_.all.ir);
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::Value& param = b_.all.module.values[f.params[i]];
      if (!Compare(args[i], param.info, param.name, match)) {
        b_.all.Unsupported(loc) << "an argument for '" << param.name << "', which is "
                                << ir::ToString(param.info) << ", of another structure; "
                                << kSupported;
        return false;
      }
      b_.Bind(f.params[i], args[i]);
    }
    for (const auto& [var, value] : match.mapping()) b_.Define(var, value);
    b_.EmitChecks(match, loc);
    return true;
  }

 private:
  // The binding whose value is the result, when nothing comes behind it.
  static const ir::Binding* LastOf(const ir::Body& body) {
    const auto* value = body.result.As<ir::ValueId>();
    if (value == nullptr || body.blocks.empty() || body.blocks.back().bindings.empty()) {
      return nullptr;
    }
    const ir::Binding& last = body.blocks.back().bindings.back();
    return last.var == *value ? &last : nullptr;
  }

  // Whether the body ends with a call of its own function.
  bool EndsWithCall(const ir::Body& body) const {
    const ir::Binding* last = LastOf(body);
    if (last == nullptr) return false;
    if (const auto* call = std::get_if<ir::Call>(&last->rhs)) return CallsItself(b_, *call);
    const auto* branch = std::get_if<ir::If>(&last->rhs);
    return branch != nullptr &&
           (EndsWithCall(branch->then_body) || EndsWithCall(branch->else_body));
  }

  // Done with the function's last binding; false when it is as any other.
  bool AtEnd(const ir::Binding& b, const Form& to) {
    if (const auto* call = std::get_if<ir::Call>(&b.rhs)) return LowerAgain(b_, b, *call);
    const auto* branch = std::get_if<ir::If>(&b.rhs);
    if (branch == nullptr ||
        !(EndsWithCall(branch->then_body) || EndsWithCall(branch->else_body))) {
      return false;
    }
    return Branches(b, *branch, to, true);
  }

  std::optional<Form> Bound(const ir::Binding& b) {
    return Match(
        b.rhs, [&](const ir::Operand& o) { return Annotated(b, b_.FormOf(o, b.loc)); },
        [&](const ir::Call& c) { return LowerCall(b_, b, c); },
        [&](const ir::GetField& g) { return Annotated(b, Field(b, g)); },
        [&](const ir::MatchCast& m) { return Cast(b, b_.FormOf(m.value, b.loc), m.info); },
        [&](const ir::If& i) { return Branch(b, i); },
        [&](const ir::Function&) -> std::optional<Form> {
          b_.all.Unsupported(b.loc) << "a function made while the program runs cannot be lowered "
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
    b_.all.Unsupported(b.loc) << "a field of what is not known to be a tuple; " << kSupported;
    return std::nullopt;
  }

  std::optional<Form> Branch(const ir::Binding& b, const ir::If& branch) {
    const ir::Value& value = b_.all.module.values[b.var];
    if (!SaysAllSizes(value.info)) return Joined(b, branch);
    const auto result = b_.NewResult(value.info, value.name, ir::Home::kArena, b.loc);
    if (!result || !Branches(b, branch, *result, false)) return std::nullopt;
    return result;
  }

  // What the two sides give is known only when both are lowered.
  std::optional<Form> Joined(const ir::Binding& b, const ir::If& branch) {
    const auto cond = b_.FormOf(branch.cond, b.loc);
    if (!cond) return std::nullopt;
    const std::vector<ir::Part> parts = PartsOf(*cond);
    if (parts.size() != 1) {
      b_.all.Unsupported(b.loc) << "a condition that is no scalar; " << kSupported;
      return std::nullopt;
    }
    ir::BranchStep step{parts[0], {}, {}};
    std::optional<Form> forms[2];
    {
      RoutineBuilder::InBranch in(b_, step.then_steps);
      forms[0] = ValueOf(branch.then_body);
    }
    {
      RoutineBuilder::InBranch in(b_, step.else_steps);
      forms[1] = ValueOf(branch.else_body);
    }
    if (!forms[0] || !forms[1]) return std::nullopt;
    Form joined = JoinForms(b_, b_.all.module.values[b.var].name, *forms[0], *forms[1],
                            step.then_steps, step.else_steps, b.loc);
    b_.Emit(std::move(step), b.loc);
    return joined;
  }

  // False after a report.
  bool Branches(const ir::Binding& b, const ir::If& branch, const Form& to, bool at_end) {
    const auto cond = b_.FormOf(branch.cond, b.loc);
    if (!cond) return at_end;  // reported: what comes after it need not be
    const std::vector<ir::Part> parts = PartsOf(*cond);
    if (parts.size() != 1) {
      b_.all.Unsupported(b.loc) << "a condition that is no scalar; " << kSupported;
      return at_end;
    }
    ir::BranchStep step{parts[0], {}, {}};
    {
      RoutineBuilder::InBranch in(b_, step.then_steps);
      In(branch.then_body, to, at_end);
    }
    {
      RoutineBuilder::InBranch in(b_, step.else_steps);
      In(branch.else_body, to, at_end);
    }
    b_.Emit(std::move(step), b.loc);
    return true;
  }

  // What an annotation says beyond what is known has to hold.
  std::optional<Form> Annotated(const ir::Binding& b, std::optional<Form> form) {
    ir::StructInfoRef annotation = b_.all.module.values[b.var].annotation;
    if (annotation == nullptr || annotation->As<ir::FuncInfo>() != nullptr) return form;
    return Cast(b, std::move(form), annotation);
  }

  std::optional<Form> Cast(const ir::Binding& b, std::optional<Form> form, ir::StructInfoRef info) {
    if (!form) return std::nullopt;
    SizeMatch match(b_.all.ir);
    for (const auto& [var, value] : b_.scope()) match.Set(var, value);
    if (!Compare(*form, info, b_.all.module.values[b.var].name, match)) {
      b_.all.Unsupported(b.loc) << "R.match_cast to " << ir::ToString(info)
                                << " of what is known to be something else, or not known at all; "
                                << kSupported;
      return std::nullopt;
    }
    for (const auto& [var, value] : match.mapping()) b_.Define(var, b_.Settle(value));
    b_.EmitChecks(match, b.loc);
    return form;
  }

  // False where the two differ in more than sizes.
  bool Compare(const Form& form, ir::StructInfoRef info, const std::string& what,
               SizeMatch& match) {
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      const auto* fields = form.As<TupleForm>();
      if (fields == nullptr || fields->fields.size() != tuple->fields.size()) return false;
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        const std::string part = absl::StrCat(what, "[", i, "]");
        if (!Compare(fields->fields[i], tuple->fields[i], part, match)) return false;
      }
      return true;
    }
    if (const auto* tensor = info->As<ir::TensorInfo>()) {
      const auto* id = form.As<ir::TensorId>();
      if (id == nullptr) return false;
      const ir::Tensor& actual = b_.all.program.tensors[*id];
      if (!tensor->dtype.is_void() && tensor->dtype != actual.dtype) return false;
      if (tensor->dims() == nullptr) {
        return tensor->ndim < 0 || tensor->ndim == static_cast<int>(actual.shape.size());
      }
      return All(*tensor->dims(), actual.shape, what, match);
    }
    if (const auto* shape = info->As<ir::ShapeInfo>()) {
      const auto* dims = form.As<ShapeForm>();
      if (dims == nullptr) return false;
      if (!shape->values) {
        return shape->ndim < 0 || shape->ndim == static_cast<int>(dims->dims.size());
      }
      return All(*shape->values, dims->dims, what, match);
    }
    if (const auto* prim = info->As<ir::PrimInfo>()) {
      const auto* value = form.As<PrimRef>();
      if (value == nullptr || (*value)->dtype() != prim->dtype) return false;
      if (prim->value != nullptr) match.Add(prim->value, *value, what);
      return true;
    }
    if (info->As<ir::FuncInfo>() != nullptr) {
      return form.As<ir::GlobalId>() != nullptr || form.As<ir::ExternFunc>() != nullptr ||
             form.As<ClosureForm>() != nullptr || form.As<ChoiceForm>() != nullptr;
    }
    return info->As<ir::ObjectInfo>() != nullptr;
  }

  static bool All(const std::vector<PrimRef>& formal, const std::vector<PrimRef>& actual,
                  const std::string& what, SizeMatch& match) {
    if (formal.size() != actual.size()) return false;
    for (size_t i = 0; i < formal.size(); ++i) {
      match.Add(formal[i], actual[i], absl::StrCat("dimension ", i, " of ", what));
    }
    return true;
  }

  RoutineBuilder& b_;
};

}  // namespace

namespace {

// Outputs of the structure and sizes that the result turned out to have, in its order; the sizes
// that only the data says are outputs behind those they are of. False where the result holds what
// is no output.
bool AddOutputs(RoutineBuilder& b, const Form& form, const std::string& name, const Location& loc) {
  ir::Program& program = b.all.program;
  ir::Routine& routine = program.routines[b.routine];
  const auto add = [&](ir::Part part, std::string called) {
    routine.outputs.push_back(part);
    routine.output_names.push_back(std::move(called));
  };
  if (const auto* tuple = form.As<TupleForm>()) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      if (!AddOutputs(b, tuple->fields[i], absl::StrCat(name, "_", i), loc)) return false;
    }
    return true;
  }
  if (const auto* scalar = form.As<PrimRef>()) {
    const PrimRef out = b.all.ir.NewVar("out", (*scalar)->dtype());
    add(out, name);
    return b.Deliver(form, Form{out}, loc);
  }
  if (const auto* shape = form.As<ShapeForm>()) {
    for (size_t i = 0; i < shape->dims.size(); ++i) {
      const PrimRef out = b.all.ir.NewVar(absl::StrCat("out_", i), ir::DType::Int(64));
      add(out, absl::StrCat(name, "_", i));
      if (!b.Deliver(Form{shape->dims[i]}, Form{out}, loc)) return false;
    }
    return true;
  }
  const auto* id = form.As<ir::TensorId>();
  if (id == nullptr) return false;
  ir::Tensor output = program.tensors[*id];
  output.home = ir::Home::kOutput;
  output.constant = {};
  output.base = {};
  bool early = true;
  for (PrimRef dim : output.shape) early = early && b.IsEarly(dim);
  const PrimRef rank = b.all.ir.Int(std::ssize(output.shape));
  const ir::TensorId to = program.tensors.Add(std::move(output));
  add(to, name);
  if (early) return b.Deliver(form, Form{to}, loc);
  const std::string sizes = absl::StrCat(name, "_shape");
  program.tensors[to].sizes =
      program.tensors.Add({sizes, ir::DType::Int(64), {rank}, ir::Home::kOutput, {}, {}});
  add(program.tensors[to].sizes, sizes);
  if (!b.MakeIn(*id, to)) b.Emit(ir::GiveStep{*id, to}, loc);
  return true;
}

// The same, after the variables that are given back, as far as there are any.
bool AddOutputs(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                const Location& loc) {
  const auto* fields = form.As<TupleForm>();
  const auto* tuple = result.As<ir::TupleExpr>();
  const auto* value = result.As<ir::ValueId>();
  if (fields == nullptr || tuple == nullptr || tuple->fields.size() != fields->fields.size()) {
    const std::string name = value != nullptr ? b.all.module.values[*value].name : "out";
    return AddOutputs(b, form, name, loc);
  }
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    if (!AddOutputs(b, tuple->fields[i], fields->fields[i], loc)) return false;
  }
  return true;
}

}  // namespace

std::optional<Form> InlineFunction(RoutineBuilder& b, ir::GlobalId id,
                                   const std::vector<Form>& args, const Location& loc) {
  const ir::Global& global = b.all.module.globals[id];
  const ir::Function& f = *global.function();
  const auto refuse = [&](absl::string_view why) -> std::optional<Form> {
    b.all.Unsupported(loc) << "'" << global.name << "', whose parameters or result are known only "
                           << "at its calls, " << why << "; " << kSupported;
    return std::nullopt;
  };
  if (b.all.calls.Recursive(id, id)) return refuse("calls itself");
  if (b.may_view() && WritesInPlace(b.all.module, f.body)) return refuse("writes in place");
  if (b.all.inlined_count > kMostInlined) return std::nullopt;  // was reported
  if (b.all.inlined_depth >= kMostInlinedDepth || b.all.inlined_count == kMostInlined) {
    b.all.inlined_count = kMostInlined + 1;
    return refuse(absl::StrCat("would stand in place of a call more than ", kMostInlinedDepth,
                               " deep, or after ", kMostInlined, " others"));
  }
  analysis::ShapeVarMap scope;
  b.SwapScope(scope);
  ++b.all.inlined_depth;
  ++b.all.inlined_count;
  Bodies body(b);
  std::optional<Form> result;
  bool entered = body.Enter(f, args, loc);
  for (const auto& [var, value] : b.scope()) {
    // Sizes are said in the routine's variables, which may not mean something else in here.
    if (!entered || value == var || !scope.contains(var)) continue;
    (void)refuse("calls its sizes what its caller does");
    entered = false;
  }
  if (entered) result = body.ValueOf(f.body);
  --b.all.inlined_depth;
  b.SwapScope(scope);
  return result;
}

void LowerFunction(Lowering& all, const Signature& signature, const ir::Function& f) {
  RoutineBuilder builder(all, signature.id, f);
  for (size_t i = 0; i < f.params.size(); ++i) builder.Bind(f.params[i], signature.params[i]);
  Bodies bodies(builder);
  if (signature.by_body) {
    if (const auto form = bodies.ValueOf(f.body)) {
      if (!AddOutputs(builder, f.body.result, *form, f.body.result_loc)) {
        all.Unsupported(f.body.result_loc)
            << "the result of '" << all.program.routines[signature.id].name
            << "' is known only when the program runs; " << kSupported;
      }
    }
  } else {
    bodies.In(f.body, signature.result, true);
  }
  all.program.routines[signature.id].steps = builder.Take();
}

}  // namespace lathe::lower
