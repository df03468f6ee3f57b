#include "generator/lower/lower_function.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
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
    if (value.info->As<ir::FuncInfo>() != nullptr || value.info->As<ir::ObjectInfo>() != nullptr) {
      return Chosen(b, branch);
    }
    const auto result = b_.NewResult(value.info, value.name, ir::Home::kArena, b.loc);
    if (!result || !Branches(b, branch, *result, false)) return std::nullopt;
    return result;
  }

  // What a branch chooses, a function or what is not known to be one: the number of what it is.
  std::optional<Form> Chosen(const ir::Binding& b, const ir::If& branch) {
    const auto cond = b_.FormOf(branch.cond, b.loc);
    if (!cond) return std::nullopt;
    const std::vector<ir::Part> parts = PartsOf(*cond);
    if (parts.size() != 1) {
      b_.all.Unsupported(b.loc) << "a condition that is no scalar; " << kSupported;
      return std::nullopt;
    }
    const std::string& name = b_.all.module.values[b.var].name;
    const PrimRef which = b_.all.ir.NewVar(absl::StrCat(name, "_is"));
    std::vector<PrimRef> kept = {which};
    ir::BranchStep step{parts[0], {}, {}};
    ChoiceForm choice{which, {}};
    for (const auto& [body, steps] : {std::pair(&branch.then_body, &step.then_steps),
                                      std::pair(&branch.else_body, &step.else_steps)}) {
      RoutineBuilder::InBranch in(b_, *steps);
      auto form = ValueOf(*body);
      if (!form) return std::nullopt;
      if (!Keep(*form, name, kept, b.loc)) {
        b_.all.Unsupported(b.loc) << "'" << name
                                  << "' keeps a tensor whose size only a branch says; "
                                  << kSupported;
        return std::nullopt;
      }
      const int64_t number = static_cast<int64_t>(choice.options.size());
      b_.Emit(ir::AssignStep{which, b_.all.ir.Int(number)}, b.loc);
      choice.options.push_back(*std::move(form));
    }
    for (PrimRef var : kept) b_.Emit(ir::DefineStep{var}, b.loc);
    b_.Emit(std::move(step), b.loc);
    return Form{std::move(choice)};
  }

  // Makes variables of `form`'s scalars, which would end with the branch they stand in. False
  // where the sizes of a tensor would.
  bool Keep(Form& form, const std::string& name, std::vector<PrimRef>& kept, const Location& loc) {
    const auto keep = [&](PrimRef& scalar) {
      if (analysis::VarsIn(scalar).empty()) return;
      const PrimRef var = b_.all.ir.NewVar(name, scalar->dtype());
      b_.Emit(ir::AssignStep{var, scalar}, loc);
      kept.push_back(scalar = var);
    };
    const auto each = [&](std::vector<Form>& forms) {
      for (Form& one : forms) {
        if (!Keep(one, name, kept, loc)) return false;
      }
      return true;
    };
    if (auto* scalar = std::get_if<PrimRef>(&form.node)) keep(*scalar);
    if (auto* shape = std::get_if<ShapeForm>(&form.node)) {
      for (PrimRef& dim : shape->dims) keep(dim);
    }
    if (auto* tuple = std::get_if<TupleForm>(&form.node)) return each(tuple->fields);
    if (auto* closure = std::get_if<ClosureForm>(&form.node)) return each(closure->captured);
    if (auto* choice = std::get_if<ChoiceForm>(&form.node)) {
      keep(choice->which);
      return each(choice->options);
    }
    const auto* id = form.As<ir::TensorId>();
    return id == nullptr || b_.all.program.tensors[*id].elements() ||
           b_.all.program.tensors[*id].home == ir::Home::kInput;
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

// Outputs of the structure and sizes that the result turned out to have. Nothing where it holds
// what is no output, or sizes that only the data says.
std::optional<Form> OutputsFor(RoutineBuilder& b, const Form& form) {
  ir::Program& program = b.all.program;
  const ir::Routine& routine = program.routines[b.routine];
  std::vector<PrimRef> known = routine.sizes;
  for (const ir::Part& part : routine.inputs) {
    if (const auto* var = std::get_if<PrimRef>(&part)) known.push_back(*var);
  }
  if (const auto* id = form.As<ir::TensorId>()) {
    ir::Tensor output = program.tensors[*id];
    for (PrimRef dim : output.shape) {
      for (PrimRef var : analysis::VarsIn(dim)) {
        if (std::find(known.begin(), known.end(), var) == known.end()) return std::nullopt;
      }
    }
    output.home = ir::Home::kOutput;
    output.constant = {};
    output.base = {};
    return Form{program.tensors.Add(std::move(output))};
  }
  if (const auto* scalar = form.As<PrimRef>()) {
    return Form{b.all.ir.NewVar("out", (*scalar)->dtype())};
  }
  if (const auto* shape = form.As<ShapeForm>()) {
    ShapeForm outputs;
    for (size_t i = 0; i < shape->dims.size(); ++i) {
      outputs.dims.push_back(b.all.ir.NewVar(absl::StrCat("out_", i), ir::DType::Int(64)));
    }
    return Form{std::move(outputs)};
  }
  const auto* tuple = form.As<TupleForm>();
  if (tuple == nullptr) return std::nullopt;
  TupleForm outputs;
  for (const Form& field : tuple->fields) {
    auto output = OutputsFor(b, field);
    if (!output) return std::nullopt;
    outputs.fields.push_back(*std::move(output));
  }
  return Form{std::move(outputs)};
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
      if (const auto outputs = OutputsFor(builder, *form)) {
        NameOutputs(all.module, f.body.result, *outputs, all.program.routines[signature.id]);
        (void)builder.Deliver(*form, *outputs, f.body.result_loc);
      } else {
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
