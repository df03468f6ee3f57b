#include "generator/analysis/derive/derive_binding.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/compatibility.h"
#include "generator/analysis/derive/derive_body.h"
#include "generator/analysis/derive/derive_call.h"
#include "generator/analysis/derive/derive_function.h"
#include "generator/analysis/derive/derive_match_cast.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/overlap.h"
#include "generator/analysis/show_operand.h"
#include "generator/analysis/subtyping.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

// Rule 12.
Derived DeriveGetField(Derivation& d, const ir::GetField& get, const Location& loc) {
  const Derived tuple = DeriveOperand(d, get.tuple);
  const auto* info = tuple.info->As<ir::TupleInfo>();
  const std::string name = ShowOperand(d.module, get.tuple);
  if (info == nullptr) {
    if (tuple.guess) return d.Guess();
    DiagnosticBuilder error = d.Error(loc, "not-a-tuple");
    error << "'" << name << "' is " << d.Show(tuple.info) << ", not a tuple";
    if (tuple.info->As<ir::ObjectInfo>() != nullptr) {
      std::move(error).Help(
          absl::StrCat("cast it first: ", name, "1 = R.match_cast(", name, ", R.Tuple(...))"));
    }
    return d.Guess();
  }
  const int count = static_cast<int>(info->fields.size());
  if (get.index < 0 || get.index >= count) {
    d.Error(loc, "tuple-index-out-of-range")
        << "'" << name << "' has no field " << get.index << ": it has " << count
        << (count == 1 ? " field" : " fields") << ", counted from 0";
    return d.Guess();
  }
  return {info->fields[get.index], tuple.guess};
}

// Rule 11.2.3.
void CheckAnnotation(Derivation& d, const ir::Binding& binding, StructInfoRef info,
                     StructInfoRef annotation) {
  const Facts facts = d.facts();
  std::string why;
  const Tri accepted = CheckCompatibility(facts, info, annotation, &why);
  if (accepted == Tri::kYes) return;
  const ir::Value& value = d.module.values[binding.var];
  const auto* operand = std::get_if<ir::Operand>(&binding.rhs);
  // Only variables are shown as written.
  if (operand != nullptr && operand->As<ir::ValueId>() == nullptr) operand = nullptr;
  const std::string source =
      operand == nullptr ? absl::StrCat(value.name, "0") : ShowOperand(d.module, *operand);
  const std::string cast =
      absl::StrCat(operand == nullptr ? absl::StrCat("bind the value as ", source, ", then ") : "",
                   value.name, " = R.match_cast(", source, ", ", d.Show(annotation), ")");
  if (accepted == Tri::kNo && !MayOverlap(facts, info, annotation)) {
    (d.Error(value.annotation_loc, "struct-info-mismatch")
     << "'" << value.name << "' is annotated " << d.Show(annotation) << ", but its value is "
     << d.Show(info) << ": " << why)
        .Note(binding.loc, "its value");
    return;
  }
  const bool narrower = accepted == Tri::kNo || IsSubtype(facts, annotation, info) == Tri::kYes;
  if (narrower) {
    (d.Warning(value.annotation_loc, "annotation-more-specific")
     << "'" << value.name << "' is annotated " << d.Show(annotation)
     << ", but its value is only known to be " << d.Show(info) << ": " << why)
        .Help(cast);
  } else {
    (d.Warning(value.annotation_loc, "possibly-incompatible")
     << "'" << value.name << "' is annotated " << d.Show(annotation) << ", but its value is "
     << d.Show(info) << ": " << why)
        .Help(cast);
  }
}

Derived DeriveRhs(Derivation& d, ir::Binding& binding) {
  const Location& loc = binding.loc;
  if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) {
    return d.Limited(DeriveOperand(d, *operand), loc);
  }
  if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) return DeriveCall(d, *call, loc);
  if (const auto* get = std::get_if<ir::GetField>(&binding.rhs)) {
    return DeriveGetField(d, *get, loc);
  }
  if (auto* branch = std::get_if<ir::If>(&binding.rhs)) return DeriveIf(d, *branch, loc);
  return DeriveLocalFunction(d, binding);
}

}  // namespace

void DeriveBinding(Derivation& d, ir::Binding& binding) {
  if (std::get_if<ir::MatchCast>(&binding.rhs) != nullptr) return DeriveMatchCast(d, binding);
  const Derived derived = DeriveRhs(d, binding);
  StructInfoRef annotation = d.module.values[binding.var].annotation;
  if (annotation == nullptr) return d.Bind(binding.var, derived);
  annotation = d.Normalize(annotation);
  if (!derived.guess) {
    CheckAnnotation(d, binding, d.OnDevicesOf(derived.info, annotation), annotation);
  }
  d.Bind(binding.var, d.Limited({annotation}, d.module.values[binding.var].annotation_loc));
}

}  // namespace lathe::analysis
