#include "generator/transform/same_info.h"

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/subtyping.h"
#include "generator/ir/each_body.h"

namespace lathe::transform {
namespace {

void AddParams(const ir::Module& module, const ir::Function& f, analysis::ShapeScope& bound) {
  for (ir::ValueId param : f.params) {
    ir::StructInfoRef info = module.values[param].annotation;
    if (info == nullptr) continue;
    for (ir::PrimRef var : analysis::BindingVars(info)) bound.Add(var);
  }
}

}  // namespace

analysis::ShapeScope BoundShapeVars(const ir::Module& module) {
  analysis::ShapeScope bound;
  ForEachFunction(module, [&](const ir::Function& f) {
    AddParams(module, f, bound);
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) {
        for (ir::PrimRef var : analysis::BindingVars(cast->info)) bound.Add(var);
      } else if (const auto* inner = std::get_if<ir::Function>(&binding.rhs)) {
        AddParams(module, *inner, bound);
      }
    });
  });
  return bound;
}

bool SameInfo(ir::Context& context, const ir::Module& module, const analysis::ShapeScope& bound,
              ir::StructInfoRef a, ir::StructInfoRef b) {
  if (a == b) return true;
  const analysis::Assumptions none;
  const analysis::Facts facts{context, module, bound, none};
  return analysis::IsSubtype(facts, a, b) == ir::Tri::kYes &&
         analysis::IsSubtype(facts, b, a) == ir::Tri::kYes;
}

}  // namespace lathe::transform
