#include "generator/reader/relax_text/tir/elaborate_scope_id.h"

#include <utility>
#include <vector>

#include "generator/ir/scope_id.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

absl::StatusOr<ir::AttrList> Extents(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<PrimRef> extents, s.scalars().Scalars(e));
  ir::AttrList out;
  for (PrimRef extent : extents) {
    if (!extent->dtype().is_integer() || !extent->dtype().is_scalar()) {
      return s.el().Error(e, "loop-bound-type") << "the extent of a thread must be an integer";
    }
    out.push_back(ir::AttrValue(extent));
  }
  if (out.empty()) return s.el().Error(e, "wrong-arguments") << "at least one extent is needed";
  return out;
}

// Returns the names in `target` for `count` variables; "v" for parts that are not names.
std::vector<absl::string_view> NamesIn(const ast::Expr* target, size_t count) {
  std::vector<absl::string_view> names(count, "v");
  if (target == nullptr) return names;
  const auto* tuple = target->As<ast::Tuple>();
  for (size_t i = 0; i < count; ++i) {
    const ast::Expr* one = tuple == nullptr             ? target
                           : i < tuple->elements.size() ? tuple->elements[i]
                                                        : nullptr;
    const auto* name = one == nullptr ? nullptr : one->As<ast::Name>();
    if (name != nullptr) names[i] = name->id;
  }
  return names;
}

}  // namespace

absl::StatusOr<ScalarValue> ElaborateScopeId(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view function, const ast::Expr* target) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, absl::StrCat("T.", function), "extents? preferred? dtype?"));
  ir::ScopeId id;
  id.function = std::string(function);
  if (const ast::Expr* extents = args.GetUnlessNone("extents")) {
    LATHE_ASSIGN_OR_RETURN(id.extents, Extents(s, *extents));
  }
  if (const ast::Expr* preferred = args.GetUnlessNone("preferred")) {
    LATHE_ASSIGN_OR_RETURN(id.preferred, Extents(s, *preferred));
  }
  ir::DType dtype = ir::DType::Int(32);
  if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.scalars().Type(*type));
    if (!dtype.is_integer() || !dtype.is_scalar()) {
      return s.el().Error(*type, "loop-bound-type")
             << "the dtype of a thread index must be an integer";
    }
  }
  ScalarList vars;
  for (absl::string_view name : NamesIn(target, id.extents ? id.extents->size() : 1)) {
    id.vars.push_back(s.context().NewVar(name, dtype));
    vars.push_back(ScalarValue(id.vars.back()));
  }
  s.Emit(ir::MakeScopeId(s.context(), id), e.span());
  return vars.size() == 1 ? vars.front() : MakeList(std::move(vars));
}

}  // namespace lathe::relax_text
