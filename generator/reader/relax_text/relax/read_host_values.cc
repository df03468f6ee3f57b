#include "generator/reader/relax_text/relax/read_host_values.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/reader/relax_text/elaboration/binding_sites.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/shape_scope.h"

namespace lathe::relax_text {
namespace {

bool Bind(Elaboration& el, const ast::Expr& target, const ast::Expr& value) {
  if (target.As<ast::Name>() != nullptr) {
    const std::optional<ir::DType> var = DeclaredShapeVar(el, value);
    const HostValue& bound = el.host_values().Assign(el.tree(), target, value, var.has_value());
    return bound.number != nullptr || (bound.declares_var && *var == ir::DType::Int(64));
  }
  const ast::ExprList* targets = ElementsOf(target);
  if (targets == nullptr) return false;
  const ast::ExprList* values = ElementsOf(value);
  const bool pairs = values != nullptr && values->size() == targets->size();
  bool all = pairs;
  for (size_t i = 0; i < targets->size(); ++i) {
    all = Bind(el, *(*targets)[i], pairs ? *(*values)[i] : value) && all;
  }
  return all;
}

}  // namespace

bool ReadHostValues(Elaboration& el, const ast::Stmt& s) {
  if (const auto* assign = s.As<ast::Assign>()) {
    bool all = true;
    for (ast::ExprRef target : assign->targets) all = Bind(el, *target, *assign->value) && all;
    return all;
  }
  if (const auto* annotated = s.As<ast::AnnAssign>(); annotated && annotated->value != nullptr) {
    return Bind(el, *annotated->target, *annotated->value);
  }
  const ast::StmtRef statement = &s;
  const auto sites = BindingSites(ast::Block(&statement, 1));
  std::vector<std::pair<absl::string_view, TextSpan>> bound(sites.begin(), sites.end());
  std::sort(bound.begin(), bound.end(),
            [](const auto& a, const auto& b) { return a.second.begin < b.second.begin; });
  for (const auto& [name, span] : bound) el.host_values().Hide(name, "bound by Python code", span);
  return false;
}

}  // namespace lathe::relax_text
