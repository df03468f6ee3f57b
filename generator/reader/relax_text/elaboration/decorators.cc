#include "generator/reader/relax_text/elaboration/decorators.h"

#include <vector>

#include "generator/support/closest_name.h"

namespace lathe::relax_text {
namespace {

const ast::Expr& CalleeOf(const ast::Expr& decorator) {
  const auto* call = decorator.As<ast::Call>();
  return call != nullptr ? *call->callee : decorator;
}

std::vector<absl::string_view> OptionsOf(Definition definition) {
  switch (definition) {
    case Definition::kModule:
      return {"check_well_formed", "s_tir", "name"};
    case Definition::kRelax:
      return {"pure", "private", "check_well_formed"};
    case Definition::kPrimFunc:
      return {"private", "s_tir", "persistent", "check_well_formed", "is_stir", "tirx"};
    default:
      return {};
  }
}

}  // namespace

Decoration FindDecoration(const Elaboration& el, ast::ExprList decorators) {
  for (ast::ExprRef decorator : decorators) {
    const std::optional<Qualified> name = el.namespaces().Qualify(CalleeOf(*decorator));
    if (!name) continue;
    const auto is = [&](Space space, absl::string_view wanted) {
      return name->space == space && name->name == wanted;
    };
    if (is(Space::kIr, "ir_module")) return {Definition::kModule, decorator};
    if (is(Space::kRelax, "function") || is(Space::kRelax, "func")) {
      return {Definition::kRelax, decorator};
    }
    if (is(Space::kTir, "prim_func")) return {Definition::kPrimFunc, decorator};
  }
  if (decorators.empty()) return {};
  return {Definition::kHost, decorators[0]};
}

bool HasDecoratorOption(const Decoration& decoration, absl::string_view name) {
  const auto* call =
      decoration.decorator == nullptr ? nullptr : decoration.decorator->As<ast::Call>();
  if (call == nullptr) return false;
  for (const ast::Keyword& keyword : call->keywords) {
    if (keyword.name == name) return true;
  }
  return false;
}

bool DecoratorFlag(Elaboration& el, const Decoration& decoration, absl::string_view name,
                   bool otherwise) {
  const auto* call =
      decoration.decorator == nullptr ? nullptr : decoration.decorator->As<ast::Call>();
  if (call == nullptr) return otherwise;
  for (const ast::Keyword& keyword : call->keywords) {
    if (keyword.name != name) continue;
    const auto* constant = keyword.value->As<ast::Constant>();
    if (constant != nullptr && constant->kind != ast::Constant::Kind::kNone) {
      return constant->kind == ast::Constant::Kind::kTrue;
    }
    el.Error(*keyword.value, "wrong-kind-of-value") << name << " must be True or False";
  }
  return otherwise;
}

void CheckDecoratorOptions(Elaboration& el, const Decoration& decoration) {
  const auto* call =
      decoration.decorator == nullptr ? nullptr : decoration.decorator->As<ast::Call>();
  if (call == nullptr) return;
  const std::vector<absl::string_view> known = OptionsOf(decoration.definition);
  if (!call->args.empty()) {
    el.Error(*call->args[0], "wrong-arguments")
        << "the options of a decorator must be keyword arguments";
  }
  for (const ast::Keyword& keyword : call->keywords) {
    bool found = false;
    for (absl::string_view option : known) found = found || option == keyword.name;
    if (found) continue;
    el.diags().Error(keyword.name_span, "wrong-arguments")
        << "the decorator has no option '" << keyword.name << "'"
        << DidYouMean(keyword.name, known);
  }
}

}  // namespace lathe::relax_text
