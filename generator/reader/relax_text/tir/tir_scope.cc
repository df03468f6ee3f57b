#include "generator/reader/relax_text/tir/tir_scope.h"

#include <algorithm>

#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {

void TirScope::Bind(absl::string_view name, ScalarValue value, TextSpan span) {
  frames_.back().insert_or_assign(name, Entry{std::move(value), span, false});
}

void TirScope::BindFailed(absl::string_view name, TextSpan span) {
  frames_.back().insert_or_assign(name, Entry{ScalarValue(), span, true});
}

const TirScope::Entry* TirScope::Find(absl::string_view name) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (const auto it = frame->find(name); it != frame->end()) return &it->second;
  }
  return nullptr;
}

const TirScope::Entry* TirScope::FindInnermost(absl::string_view name) const {
  const auto it = frames_.back().find(name);
  return it == frames_.back().end() ? nullptr : &it->second;
}

absl::StatusOr<ScalarValue> TirScope::ResolveValue(const ast::Expr& e) {
  const absl::string_view name = e.As<ast::Name>()->id;
  if (const Entry* entry = Find(name)) {
    if (entry->failed) return AlreadyDiagnosed();
    return entry->value;
  }
  if (!own_names_.contains(name) && el_.IsTypeVar(name)) {
    ir::PrimRef& var = type_vars_[name];
    if (var == nullptr) var = el_.context().NewVar(name, ir::DType::Int(64));
    return ScalarValue(var);
  }
  if ((in_quotes_ || (postponed_ && own_names_.contains(name))) && quoted_type_) {
    const ir::PrimRef var = el_.context().NewVar(name, quoted_type_(name));
    Bind(name, var, e.span());
    return ScalarValue(var);
  }
  if (const HostValue* value = el_.host_values().Find(name, e.span());
      value != nullptr && value->number != nullptr) {
    return NumberValue(*value->number);
  }
  if (el_.RefusesHostValue(e, name)) return AlreadyDiagnosed();
  if (el_.IsModuleAlias(name) || el_.FindGlobal(name)) {
    return el_.Error(e, "wrong-kind-of-value") << "'" << name
                                               << "' is a function or the module, not a value; "
                                                  "call functions of the module as in cls.f(...)";
  }
  std::vector<absl::string_view> known;
  for (const auto& frame : frames_) {
    for (const auto& [candidate, entry] : frame) known.push_back(candidate);
  }
  for (absl::string_view candidate : el_.host_values().names()) known.push_back(candidate);
  std::sort(known.begin(), known.end());
  return el_.Error(e, "unbound-name")
         << "'" << name << "' is not defined" << DidYouMean(name, known);
}

absl::StatusOr<ir::PrimRef> TirScope::Resolve(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, ResolveValue(e));
  return ToScalar(el_, e, value, ir::DType::Int(32));
}

}  // namespace lathe::relax_text
