#include "generator/ops/definitions/operation_definitions.h"

#include <functional>

#include "generator/ir/defined_operations.h"
#include "generator/ir/map_children.h"
#include "generator/ops/definitions/helium_definitions.h"
#include "generator/ops/definitions/paired_definitions.h"
#include "generator/ops/definitions/unpack_definition.h"

namespace lathe::ops {

ir::StmtRef DefinitionOf(ir::Context& context, const ir::Intrinsic& call) {
  OperationArguments args(context, call);
  if (call.name == ir::kPaddedLines) return PaddedLines(args);
  if (call.name == ir::kUnpackWeights) return UnpackWeights(args);
  if (call.name == ir::kJoinColumns) return JoinColumns(args);
  if (ir::IsPairedRow(call.name)) return PairedRow(args);
  if (ir::IsPairedDepthwise(call.name)) return PairedDepthwise(args);
  if (ir::IsHeliumDepthwise(call.name)) return HeliumDepthwise(args);
  if (ir::IsQuadDepthwise(call.name)) return QuadDepthwise(args);
  if (ir::IsHeliumProducts(call.name)) return HeliumProducts(args);
  if (ir::IsQuadProducts(call.name)) return QuadProducts(args);
  return PairedProducts(args);
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
