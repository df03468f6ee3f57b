#include "generator/lower/for_each_option.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/lower/join_forms.h"
#include "generator/lower/match_form.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

bool AreFunctions(const ChoiceForm& choice) {
  for (const Form& option : choice.options) {
    const auto* inner = option.As<ChoiceForm>();
    if (inner != nullptr
            ? !AreFunctions(*inner)
            : option.As<ClosureForm>() == nullptr && option.As<ir::GlobalId>() == nullptr &&
                  option.As<ir::ExternFunc>() == nullptr) {
      return false;
    }
  }
  return true;
}

// Returns the fields that lead to the first choice in `form` on which `info` makes demands.
std::optional<std::vector<size_t>> FieldsToChoice(const Form& form, ir::StructInfoRef info) {
  if (const auto* choice = form.As<ChoiceForm>()) {
    if (AreFunctions(*choice)) return std::nullopt;
    return std::vector<size_t>();
  }
  const auto* tuple = form.As<TupleForm>();
  const auto* wanted = info->As<ir::TupleInfo>();
  if (tuple == nullptr || wanted == nullptr || tuple->fields.size() != wanted->fields.size()) {
    return std::nullopt;
  }
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    if (wanted->fields[i]->As<ir::ObjectInfo>() != nullptr) continue;
    if (auto fields = FieldsToChoice(tuple->fields[i], wanted->fields[i])) {
      fields->insert(fields->begin(), i);
      return fields;
    }
  }
  return std::nullopt;
}

Form& PartAt(Form& form, absl::Span<const size_t> fields) {
  if (fields.empty()) return form;
  return PartAt(std::get<TupleForm>(form.node).fields[fields[0]], fields.subspan(1));
}

class Options {
 public:
  Options(RoutineBuilder& b, const ir::Binding& binding, const ChoicePlace& place, bool written,
          absl::FunctionRef<std::optional<Form>()> bound)
      : b_(b),
        binding_(binding),
        place_(place),
        whole_(*b.FormOf(ir::Operand{place.id}, binding.loc)),
        written_(written),
        bound_(bound) {}

  std::optional<Form> Spread() {
    const ChoiceForm choice = *PartAt(whole_, place_.fields).As<ChoiceForm>();
    const auto* cast = std::get_if<ir::MatchCast>(&binding_.rhs);
    std::vector<size_t> left;
    for (size_t n = 0; n < choice.options.size(); ++n) {
      if (cast == nullptr ||
          MayMatch(b_.lowering.ir, b_.lowering.program, With(choice.options[n]), cast->info)) {
        left.push_back(n);
      }
    }
    // R.match_cast selects the options that can match; the others end the run.
    for (size_t n = 0; n < choice.options.size() && !left.empty(); ++n) {
      if (std::find(left.begin(), left.end(), n) != left.end()) continue;
      b_.Emit(
          ir::CheckStep{b_.lowering.ir.Make(ir::BinaryOp::kNe, choice.which, Number(n)),
                        absl::StrCat("match_cast of ", b_.lowering.module.values[place_.id].name)},
          binding_.loc);
    }
    if (left.empty()) left.push_back(0);  // Cast reports it
    auto result = OneOf(choice, left);
    b_.Bind(place_.id, whole_);
    return result;
  }

 private:
  // Returns the value with `option` in place of the choice.
  Form With(const Form& option) const {
    Form form = whole_;
    PartAt(form, place_.fields) = option;
    return form;
  }
  PrimRef Number(size_t n) { return b_.lowering.ir.Int(static_cast<int64_t>(n)); }

  std::optional<Form> OneOf(const ChoiceForm& choice, absl::Span<const size_t> left) {
    if (left.size() == 1) {
      b_.Bind(place_.id, With(choice.options[left[0]]));
      return bound_();
    }
    const PrimRef is_it = b_.lowering.ir.Make(ir::BinaryOp::kEq, choice.which, Number(left[0]));
    ir::BranchStep step{is_it, {}, {}};
    std::optional<Form> one, other;
    // Variables defined for one option mean nothing for the others.
    const analysis::ShapeVarMap before = b_.scope();
    {
      RoutineBuilder::InBranch in(b_, step.then_steps);
      b_.Bind(place_.id, With(choice.options[left[0]]));
      one = bound_();
    }
    const analysis::ShapeVarMap then_scope = b_.scope();
    b_.SetScope(before);
    {
      RoutineBuilder::InBranch in(b_, step.else_steps);
      other = OneOf(choice, left.subspan(1));
    }
    const analysis::ShapeVarMap else_scope = b_.scope();
    b_.SetScope(before);
    if (!one || !other) return std::nullopt;
    Form joined = JoinForms(b_, b_.lowering.module.values[binding_.var].name, *one, *other,
                            step.then_steps, step.else_steps, written_, binding_.loc);
    DefineSizes(joined, then_scope, else_scope, step);
    b_.Emit(std::move(step), binding_.loc);
    return joined;
  }

  // Defines the sizes that R.match_cast introduces: as those of the joined value, or, if it has no
  // such size, because it is a choice, as those of each side.
  void DefineSizes(const Form& joined, const analysis::ShapeVarMap& then_scope,
                   const analysis::ShapeVarMap& else_scope, ir::BranchStep& step) {
    const auto* cast = std::get_if<ir::MatchCast>(&binding_.rhs);
    if (cast == nullptr) return;
    SizeMatch sizes(b_.lowering.ir);
    (void)MatchForm(b_.lowering.program, joined, cast->info, "", sizes);
    for (PrimRef var : analysis::BindingVars(cast->info)) {
      if (b_.scope().contains(var)) continue;
      const auto one = then_scope.find(var), other = else_scope.find(var);
      if (const auto size = sizes.mapping().find(var); size != sizes.mapping().end()) {
        b_.Define(var, b_.Resolve(size->second));
      } else if (one != then_scope.end() && other != else_scope.end()) {
        b_.Define(var, JoinSizes(b_, ir::ToString(var), one->second, other->second, step.then_steps,
                                 step.else_steps, binding_.loc));
      }
    }
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ChoicePlace& place_;
  Form whole_;
  const bool written_;
  absl::FunctionRef<std::optional<Form>()> bound_;
};

}  // namespace

std::optional<ChoicePlace> ChoiceIn(RoutineBuilder& builder, const ir::Binding& b) {
  const auto at = [&](const ir::Operand& operand, ir::StructInfoRef info) {
    const auto* id = operand.As<ir::ValueId>();
    const auto form = id == nullptr ? std::nullopt : builder.FormOf(operand, b.loc);
    const auto fields = form ? FieldsToChoice(*form, info) : std::nullopt;
    return fields ? std::optional(ChoicePlace{*id, *fields}) : std::nullopt;
  };
  const auto choice = [&](const ir::Operand& operand) {
    return at(operand, builder.lowering.ir.Object());
  };
  if (const auto* field = std::get_if<ir::GetField>(&b.rhs)) return choice(field->tuple);
  if (const auto* cast = std::get_if<ir::MatchCast>(&b.rhs)) return at(cast->value, cast->info);
  const auto* call = std::get_if<ir::Call>(&b.rhs);
  if (call == nullptr || call->op() == nullptr) return std::nullopt;
  for (const ir::Operand& arg : call->args) {
    if (const auto place = choice(arg)) return place;
    const auto* tuple = arg.As<ir::TupleExpr>();
    for (size_t i = 0; tuple != nullptr && i < tuple->fields.size(); ++i) {
      if (const auto place = choice(tuple->fields[i])) return place;
    }
  }
  return std::nullopt;
}

std::optional<Form> ForEachOption(RoutineBuilder& b, const ir::Binding& binding,
                                  const ChoicePlace& place, bool written,
                                  absl::FunctionRef<std::optional<Form>()> bound) {
  return Options(b, binding, place, written, bound).Spread();
}

}  // namespace lathe::lower
