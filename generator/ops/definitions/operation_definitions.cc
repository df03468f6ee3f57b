#include "generator/ops/definitions/operation_definitions.h"

#include <functional>

#include "generator/ir/defined_operations.h"
#include "generator/ir/map_children.h"
#include "generator/ops/definitions/helium_definitions.h"
#include "generator/ops/definitions/paired_definitions.h"

namespace lathe::ops {

ir::StmtRef DefinitionOf(ir::Context& context, const ir::Intrinsic& call) {
  OperationArguments args(context, call);
  if (call.name == ir::kPaddedLines) return PaddedLines(args);
  if (call.name == ir::kPairedDepthwise) return PairedDepthwise(args);
  if (call.name == ir::kHeliumDepthwise) return HeliumDepthwise(args);
  if (call.name == ir::kQuadDepthwise) return QuadDepthwise(args);
  if (call.name == ir::kHeliumProducts) return HeliumProducts(args);
  if (call.name == ir::kQuadProducts) return QuadProducts(args);
  return PairedProducts(args, call.name == ir::kPairedTwice);
}

ir::PrimFunc WithDefinitions(ir::Context& context, ir::PrimFunc func) {
  const std::function<ir::StmtRef(ir::StmtRef)> expanded = [&](ir::StmtRef stmt) {
    const auto* evaluate = stmt->As<ir::EvaluateStmt>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
    if (call != nullptr && ir::HasDefinition(call->name)) return DefinitionOf(context, *call);
    return ir::MapChildren(context, stmt, expanded);
  };
  if (func.body != nullptr) func.body = expanded(func.body);
  return func;
}

}  // namespace lathe::ops
