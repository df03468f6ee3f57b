#include "generator/analysis/instantiate.h"

#include "generator/analysis/arithmetic/substitute.h"

namespace lathe::analysis {

ir::FuncInfo Instantiate(const Facts& facts, const ir::FuncInfo& f,
                         const std::vector<ir::StructInfoRef>& actuals) {
  if (!f.params) return f;
  const auto unbound = [&](ir::PrimRef var) { return !facts.scope.Has(var); };
  ShapeVarMap mapping;
  const size_t count = std::min(f.params->size(), actuals.size());
  for (size_t i = 0; i < count; ++i) {
    AddShapeVarMapping((*f.params)[i], actuals[i], unbound, mapping);
  }
  if (mapping.empty()) return f;
  const auto fitted = Substitute(facts.ir, facts.ir.Make(ir::StructInfo::Node(f)), mapping);
  return *fitted->As<ir::FuncInfo>();
}

}  // namespace lathe::analysis
