#include "generator/lower/lower_function.h"

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
        b.rhs, [&](const ir::Operand& o) { return b_.FormOf(o, b.loc); },
        [&](const ir::Call& c) { return LowerCall(b_, b, c); },
        [&](const ir::GetField& g) { return Field(b, g); },
        [&](const ir::MatchCast& m) { return Cast(b, m); },
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
    const auto result = b_.NewResult(value.info, value.name, ir::Home::kArena, b.loc);
    if (!result || !Branches(b, branch, *result, false)) return std::nullopt;
    return result;
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

  std::optional<Form> Cast(const ir::Binding& b, const ir::MatchCast& cast) {
    auto form = b_.FormOf(cast.value, b.loc);
    if (!form) return std::nullopt;
    SizeMatch match(b_.all.ir);
    for (const auto& [var, value] : b_.scope()) match.Set(var, value);
    if (!Compare(*form, cast.info, b_.all.module.values[b.var].name, match)) {
      b_.all.Unsupported(b.loc) << "R.match_cast to " << ir::ToString(cast.info)
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

void LowerFunction(Lowering& all, const Signature& signature, const ir::Function& f) {
  RoutineBuilder builder(all, signature.id, f);
  for (size_t i = 0; i < f.params.size(); ++i) builder.Bind(f.params[i], signature.params[i]);
  Bodies(builder).In(f.body, signature.result, true);
  all.program.routines[signature.id].steps = builder.Take();
}

}  // namespace lathe::lower
