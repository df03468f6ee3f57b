#include "generator/transform/result_fields.h"

#include <iterator>
#include <variant>

#include "absl/algorithm/container.h"
#include "generator/analysis/call_graph.h"

namespace lathe::transform {

bool IsUsed(const ir::Module& module, ir::GlobalId function) {
  const analysis::CallGraph graph(module);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (absl::c_linear_search(graph.uses(ir::GlobalId{i}), function)) return true;
  }
  return false;
}

const ir::Binding* FindBinding(const ir::Body& body, ir::ValueId var) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      if (binding.var == var) return &binding;
    }
  }
  return nullptr;
}

std::vector<ir::Operand> ResultFields(const ir::Body& body) {
  const ir::Operand* result = &body.result;
  if (const auto* var = result->As<ir::ValueId>()) {
    const ir::Binding* binding = FindBinding(body, *var);
    const auto* value = binding == nullptr ? nullptr : std::get_if<ir::Operand>(&binding->rhs);
    if (value != nullptr && value->As<ir::TupleExpr>() != nullptr) result = value;
  }
  const auto* tuple = result->As<ir::TupleExpr>();
  return tuple == nullptr ? std::vector<ir::Operand>{*result} : tuple->fields;
}

}  // namespace lathe::transform
