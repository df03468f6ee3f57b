#include "generator/analysis/derive/derive_function.h"

#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/compatibility.h"
#include "generator/analysis/derive/derive_body.h"
#include "generator/analysis/show_operand.h"
#include "generator/analysis/signed_vars.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

// Returns the annotations of the parameters and enters their shape variables into the scope. A
// parameter whose shape is another parameter, R.Tensor(s), requires s to its left.
std::vector<StructInfoRef> EnterSignature(Derivation& d, const ir::Function& f) {
  std::vector<StructInfoRef> params;
  for (ir::ValueId id : f.params) {
    StructInfoRef annotation = d.module.values[id].annotation;
    params.push_back(annotation == nullptr ? d.ir.Object() : annotation);
  }
  FindSignedVars(d.ir, params, [&](ir::PrimRef var) { return d.shape_scope.Has(var); });
  for (StructInfoRef param : params) {
    for (ir::PrimRef var : BindingVars(param)) d.shape_scope.Add(var);
  }
  for (size_t i = 0; i < params.size(); ++i) {
    params[i] = d.Normalize(params[i]);
    d.Bind(f.params[i], {params[i]});
  }
  return params;
}

// Adds the bounds declared by tir_var_upper_bound: {"n": 1024} and tir_var_lower_bound, for
// variables that the signature binds.
void AddDeclaredBounds(Derivation& d, const ir::Function& f,
                       const std::vector<StructInfoRef>& params) {
  const auto* upper = ir::FindAttr<ir::AttrMap>(f.attrs, "tir_var_upper_bound");
  const auto* lower = ir::FindAttr<ir::AttrMap>(f.attrs, "tir_var_lower_bound");
  if (upper == nullptr && lower == nullptr) return;
  const auto bound = [](const ir::AttrMap* bounds, const std::string& name, int64_t otherwise) {
    const auto* value = bounds == nullptr ? nullptr : ir::FindAttr<int64_t>(*bounds, name);
    return value == nullptr ? otherwise : *value;
  };
  for (StructInfoRef param : params) {
    for (ir::PrimRef var : BindingVars(param)) {
      const std::string& name = var->As<ir::SymVar>()->name;
      d.assumptions.Bound(var, {bound(lower, name, 0), bound(upper, name, kPosInf)});
    }
  }
}

// Leaves the function's scope: its variables become bound by its info.
StructInfoRef LeaveSignature(Derivation& d, const ir::Function& f, ShapeScope::Mark mark,
                             std::vector<StructInfoRef> params, StructInfoRef ret) {
  for (ir::ValueId id : f.params) d.Unbind(id);
  d.shape_scope.Leave(mark);
  StructInfoRef info = d.ir.Make(
      ir::StructInfo::Node(ir::FuncInfo{std::move(params), ret, f.pure, ir::Derive::kNone}));
  return d.Normalize(info);
}

// Rule 15.5.
void CheckResult(Derivation& d, const ir::Function& f, const std::string& name,
                 const Derived& body) {
  if (f.ret == nullptr || body.guess) return;
  std::string why;
  StructInfoRef ret = d.Normalize(f.ret);
  StructInfoRef info = d.OnDevicesOf(body.info, ret);
  const Tri accepted = CheckCompatibility(d.facts(), info, ret, &why);
  if (accepted == Tri::kYes) return;
  // Only variables are shown as written.
  const auto* var = f.body.result.As<ir::ValueId>();
  const std::string result = var == nullptr ? "result" : d.module.values[*var].name;
  const std::string cast =
      absl::StrCat(var == nullptr ? "bind what is returned, result = ..., then " : "",
                   "return R.match_cast(", result, ", ", d.Show(ret), ")");
  if (accepted == Tri::kUnknown) {
    (d.Warning(f.body.result_loc, "possibly-incompatible")
     << "'" << name << "' returns " << d.Show(body.info) << ", which may not be the " << d.Show(ret)
     << " it is annotated with: " << why)
        .Note(f.ret_loc, "annotated here")
        .Help(cast);
    return;
  }
  DiagnosticBuilder error = d.Error(f.body.result_loc, "return-mismatch");
  error << "'" << name << "' returns " << d.Show(body.info) << ", but is annotated with "
        << d.Show(ret) << ": " << why;
  DiagnosticBuilder noted = std::move(error).Note(f.ret_loc, "annotated here");
  if (body.info->As<ir::ObjectInfo>() != nullptr) std::move(noted).Help(cast);
}

}  // namespace

Derived DeriveSignature(Derivation& d, const ir::Function& f) {
  const ShapeScope::Mark mark = d.shape_scope.Enter();
  std::vector<StructInfoRef> params = EnterSignature(d, f);
  StructInfoRef ret = f.ret == nullptr ? d.ir.Object() : d.Normalize(f.ret);
  return {LeaveSignature(d, f, mark, std::move(params), ret), f.ret == nullptr};
}

Derived DeriveFunction(Derivation& d, ir::Function& f, const std::string& name) {
  const Derivation::Function outer = std::exchange(d.function, {&f, name, false});
  const ShapeScope::Mark mark = d.shape_scope.Enter();
  std::vector<StructInfoRef> params = EnterSignature(d, f);
  AddDeclaredBounds(d, f, params);
  for (size_t i = 0; i < params.size(); ++i) {
    d.Bind(f.params[i], d.Limited({params[i]}, d.module.values[f.params[i]].annotation_loc));
  }
  const Derived body = DeriveBody(d, f.body);
  CheckResult(d, f, name, body);
  StructInfoRef ret = f.ret == nullptr ? d.Erase(body.info) : d.Normalize(f.ret);
  f.ret_info = ret;
  f.info = LeaveSignature(d, f, mark, std::move(params), ret);
  d.function = outer;
  return {f.info, f.ret == nullptr && body.guess};
}

Derived DeriveLocalFunction(Derivation& d, ir::Binding& binding) {
  auto& f = std::get<ir::Function>(binding.rhs);
  const ir::Value& value = d.module.values[binding.var];
  // While the body is checked, the variable has the annotated info. Well-formedness rule 8 reports
  // a function that needs an annotation and has none.
  const Derived self =
      value.annotation == nullptr ? DeriveSignature(d, f) : Derived{d.Normalize(value.annotation)};
  d.Bind(binding.var, d.Limited(self, binding.loc));
  const Derived derived = DeriveFunction(d, f, value.name);
  d.Unbind(binding.var);
  return d.Limited(derived, binding.loc);
}

}  // namespace lathe::analysis
