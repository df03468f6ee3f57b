#include "generator/analysis/derive/derive_match_cast.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/overlap.h"
#include "generator/analysis/show_operand.h"
#include "generator/analysis/signed_vars.h"
#include "generator/analysis/subtyping.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

// Rule 11.3.3. A new variable is replaced by the value that it will be bound to, so that a cast of
// R.Tensor((3, 4)) to R.Tensor((n, n)) is reported.
void WarnIfItAlwaysFails(Derivation& d, const ir::MatchCast& cast, StructInfoRef from,
                         StructInfoRef to) {
  ShapeVarMap bound;
  const auto is_new = [&](ir::PrimRef var) { return !d.shape_scope.Has(var); };
  AddShapeVarMapping(to, from, is_new, bound);
  std::string why;
  if (MayOverlap(d.facts(), from, Substitute(d.ir, to, bound), &why)) return;
  d.Warning(cast.info_loc, "cast-always-fails")
      << "'" << ShowOperand(d.module, cast.value) << "' is " << d.Show(from)
      << ", so casting it to " << d.Show(to) << " always fails: " << why;
}

}  // namespace

void DeriveMatchCast(Derivation& d, ir::Binding& binding) {
  const auto& cast = std::get<ir::MatchCast>(binding.rhs);
  const Derived from = DeriveOperand(d, cast.value);
  if (!from.guess) WarnIfItAlwaysFails(d, cast, from.info, cast.info);
  FindSignedVars(d.ir, {cast.info}, [&](ir::PrimRef var) { return d.shape_scope.Has(var); });
  for (ir::PrimRef var : BindingVars(cast.info)) d.shape_scope.Add(var);
  StructInfoRef to = d.Normalize(cast.info);
  const ir::Value& value = d.module.values[binding.var];
  if (value.annotation == nullptr) return d.Bind(binding.var, d.Limited({to}, cast.info_loc));
  StructInfoRef annotation = d.Normalize(value.annotation);
  std::string why;
  const Tri holds = IsSubtype(d.facts(), to, annotation, &why);
  if (holds == Tri::kNo) {
    d.Error(value.annotation_loc, "struct-info-mismatch")
        << "'" << value.name << "' is annotated " << d.Show(annotation) << ", but cast to "
        << d.Show(to) << ": " << why;
  } else if (holds == Tri::kUnknown) {
    (d.Warning(value.annotation_loc, "possibly-incompatible")
     << "'" << value.name << "' is annotated " << d.Show(annotation) << ", but cast to "
     << d.Show(to) << ": " << why)
        .Help(absl::StrCat("cast to the annotation: ", value.name, " = R.match_cast(",
                           ShowOperand(d.module, cast.value), ", ", d.Show(annotation), ")"));
  }
  d.Bind(binding.var, d.Limited({annotation}, value.annotation_loc));
}

}  // namespace lathe::analysis
