#include "generator/analysis/derive/known_info.h"

#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/support/match.h"

namespace lathe::analysis {

using ir::StructInfoRef;

StructInfoRef KnownInfo(ir::Context& context, const ir::Module& module,
                        const ir::Operand& operand) {
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    std::vector<StructInfoRef> fields;
    for (const ir::Operand& field : tuple->fields) {
      fields.push_back(KnownInfo(context, module, field));
    }
    return context.Tuple(std::move(fields));
  }
  if (const auto* id = operand.As<ir::GlobalId>()) return KnownInfo(context, module, *id);
  if (const auto* id = operand.As<ir::ValueId>()) {
    const bool exists = id->valid() && id->index < std::ssize(module.values);
    StructInfoRef info = exists ? module.values[*id].info : nullptr;
    return info == nullptr ? context.Object() : info;
  }
  return DeriveLeaf(context, module, operand);
}

StructInfoRef KnownInfo(ir::Context& context, const ir::Module& module, ir::GlobalId id) {
  return Match(
      module.globals[id].def,
      [&](const ir::Function& f) { return f.info == nullptr ? context.Object() : f.info; },
      [&](const ir::PrimFunc& f) { return DerivePrimFunc(context, f); },
      [&](const ir::ExternFunc& f) { return DeriveExternFunc(context, f); });
}

}  // namespace lathe::analysis
