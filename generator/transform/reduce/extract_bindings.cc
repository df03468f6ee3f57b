#include "generator/transform/reduce/extract_bindings.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/state.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/mark_dataflow_vars.h"

namespace lathe::transform {
namespace {

using ValueSet = absl::flat_hash_set<ir::ValueId>;

bool IsPassed(ir::StructInfoRef info, int& left) {
  if (info == nullptr || left-- <= 0) return false;
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (ir::StructInfoRef field : tuple->fields) {
      if (!IsPassed(field, left)) return false;
    }
    return true;
  }
  return info->As<ir::TensorInfo>() != nullptr || info->As<ir::ShapeInfo>() != nullptr ||
         info->As<ir::PrimInfo>() != nullptr;
}

}  // namespace

bool CanBeParameter(ir::StructInfoRef info) {
  int left = kMaxParameterFields;
  return IsPassed(info, left);
}

size_t CountBindings(const ir::Function& f) {
  size_t count = 0;
  for (const ir::Block& block : f.body.blocks) count += block.bindings.size();
  return count;
}

bool ExtractBindings(ir::Module& module, ir::GlobalId function, const std::vector<size_t>& kept) {
  ir::Function& f = *module.globals[function].function();
  ValueSet needed, used_outside;
  std::vector<ir::ValueId> removed_in_order, kept_in_order;
  size_t position = 0, next = 0;
  for (ir::Block& block : f.body.blocks) {
    std::vector<ir::Binding> bindings;
    for (ir::Binding& binding : block.bindings) {
      const bool keep = next < kept.size() && kept[next] == position;
      ++position;
      ValueSet& uses = keep ? needed : used_outside;
      ForEachUse(module, binding, [&](ir::ValueId id) { uses.insert(id); });
      if (keep) {
        ++next;
        kept_in_order.push_back(binding.var);
        bindings.push_back(std::move(binding));
      } else {
        removed_in_order.push_back(binding.var);
      }
    }
    block.bindings = std::move(bindings);
  }
  ForEachUse(f.body.result, [&](ir::ValueId id) { used_outside.insert(id); });

  std::vector<ir::ValueId> params;
  for (ir::ValueId id : f.params) {
    if (needed.contains(id)) params.push_back(id);
  }
  for (ir::ValueId id : removed_in_order) {
    if (!needed.contains(id)) continue;
    ir::Value& value = module.values[id];
    if (!CanBeParameter(value.info)) return false;
    value.annotation = value.info;
    value.dataflow = false;
    params.push_back(id);
  }
  std::vector<ir::Operand> results;
  for (ir::ValueId id : kept_in_order) {
    if (used_outside.contains(id) && CanBeParameter(module.values[id].info))
      results.push_back({id});
  }
  if (results.empty()) return false;
  f.params = std::move(params);
  f.body.result =
      results.size() == 1 ? results.front() : ir::Operand{ir::TupleExpr{std::move(results)}};
  f.ret = nullptr;
  for (const char* described : {ir::kState, "scales", "labels"}) f.attrs.erase(described);
  ConsolidateBlocks(f.body);
  MarkDataflowVars(module);
  return true;
}

}  // namespace lathe::transform
