#include "generator/interp/return_checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/limits.h"
#include "generator/interp/match_struct_info.h"
#include "generator/interp/mentions.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

bool SameShapes(const std::vector<std::pair<ir::ValueId, Value>>& a,
                const std::vector<std::pair<ir::ValueId, Value>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    const auto* left = x.second.AsShape();
    const auto* right = y.second.AsShape();
    return x.first == y.first && left != nullptr && right != nullptr && *left == *right;
  });
}

bool IsSameCheck(const ReturnCheck& a, const ReturnCheck& b) {
  return a.closure->function == b.closure->function && a.shape_vars == b.shape_vars &&
         SameShapes(a.shapes, b.shapes);
}

// Mutually recursive functions are few; a longer search would slow down every call.
constexpr size_t kLookBack = 64;

}  // namespace

bool ReturnChecks::Add(Runtime& rt, const std::shared_ptr<const Closure>& closure,
                       const Scope& scope) {
  const ir::StructInfoRef info = closure->function->ret;
  if (info == nullptr || info->As<ir::ObjectInfo>() != nullptr) return true;
  ReturnCheck check;
  check.closure = closure;
  const Mentions mentions = MentionsOf(info, rt.scalars);
  for (ir::PrimRef var : mentions.shape_vars) {
    if (const Scalar* value = scope.FindShapeVar(var)) check.shape_vars.emplace_back(var, *value);
  }
  for (ir::ValueId id : mentions.values) {
    if (const Value* value = scope.Find(id)) check.shapes.emplace_back(id, *value);
  }
  const size_t oldest = checks_.size() - std::min(checks_.size(), kLookBack);
  for (size_t n = checks_.size(); n-- > oldest;) {
    if (!IsSameCheck(checks_[n], check)) continue;
    checks_.erase(checks_.begin() + static_cast<std::ptrdiff_t>(n));
    break;
  }
  checks_.push_back(std::move(check));
  return checks_.size() <= static_cast<size_t>(kMaxPendingChecks);
}

absl::Status ReturnChecks::Run(Runtime& rt, const Value& value) const {
  for (size_t n = checks_.size(); n-- > 0;) {
    const ReturnCheck& check = checks_[n];
    const ir::Function& f = *check.closure->function;
    Scope scope;
    for (const auto& [var, scalar] : check.shape_vars) scope.BindShapeVar(var, scalar);
    for (const auto& [id, shape] : check.shapes) scope.Bind(id, shape);
    LATHE_RETURN_IF_ERROR(CheckStructInfo(rt, value, f.ret, scope, f.ret_loc,
                                          absl::StrCat("the result of '", check.closure->name, "'"),
                                          {f.body.result_loc, "returned here"}));
  }
  return absl::OkStatus();
}

absl::Status CheckStructInfo(Runtime& rt, const Value& value, ir::StructInfoRef info, Scope& scope,
                             const Location& loc, absl::string_view subject,
                             const RelatedLocation& other) {
  LATHE_ASSIGN_OR_RETURN(const std::optional<std::string> mismatch,
                         MatchStructInfo(rt, value, info, scope, loc));
  if (!mismatch) return absl::OkStatus();
  DiagnosticBuilder error = rt.diags->Error(loc, "run-struct-info-mismatch");
  error << subject << " does not match: wanted " << rt.Show(info) << ", got " << Describe(value)
        << "; " << *mismatch;
  if (std::holds_alternative<std::monostate>(other.loc)) return absl::Status(error);
  return absl::Status(std::move(error).Note(other.loc, other.remark));
}

absl::Status CheckArguments(Runtime& rt, const ir::Function& f, absl::string_view name,
                            const std::vector<Value>& args, Scope& scope, absl::string_view subject,
                            const RelatedLocation& other) {
  for (size_t n = 0; n < args.size(); ++n) scope.Bind(f.params[n], args[n]);
  for (size_t n = 0; n < args.size(); ++n) {
    const ir::StructInfoRef info = rt.module.values[f.params[n]].annotation;
    if (info != nullptr) BindLoneVars(args[n], info, scope);
  }
  for (size_t n = 0; n < args.size(); ++n) {
    const ir::Value& param = rt.module.values[f.params[n]];
    if (param.annotation == nullptr) continue;
    LATHE_RETURN_IF_ERROR(
        CheckStructInfo(rt, args[n], param.annotation, scope, param.annotation_loc,
                        absl::StrCat(subject, " '", param.name, "' of '", name, "'"), other));
  }
  return absl::OkStatus();
}

}  // namespace lathe::interp
