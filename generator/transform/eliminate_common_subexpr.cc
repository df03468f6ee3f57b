#include "generator/transform/eliminate_common_subexpr.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/each_body.h"
#include "generator/transform/call_key.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/effects.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/overwritten_values.h"
#include "generator/transform/replace_variables.h"
#include "generator/transform/same_info.h"

namespace lathe::transform {
namespace {

class Elimination {
 public:
  Elimination(ir::Context& context, ir::Module& module)
      : context_(context),
        module_(module),
        replacement_(context, module),
        changed_(OverwrittenValues(context, module)),
        bound_(BoundShapeVars(module)) {}

  void InFunction(ir::Body& body) {
    std::vector<Seen> outer = std::exchange(scopes_, {});
    In(body);
    scopes_ = std::move(outer);
  }

 private:
  using Seen = absl::flat_hash_map<std::string, ir::ValueId>;

  void In(ir::Body& body) {
    scopes_.emplace_back();
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> kept;
      for (ir::Binding& binding : block.bindings) {
        replacement_.In(binding);
        if (Remove(binding)) continue;
        if (auto* branch = std::get_if<ir::If>(&binding.rhs)) {
          In(branch->then_body);
          In(branch->else_body);
        } else if (auto* f = std::get_if<ir::Function>(&binding.rhs)) {
          // A local function would have to capture the shared value.
          InFunction(f->body);
        }
        kept.push_back(std::move(binding));
      }
      block.bindings = std::move(kept);
    }
    replacement_.In(body.result);
    ConsolidateBlocks(body);
    scopes_.pop_back();
  }

  bool Remove(const ir::Binding& binding) {
    if (changed_[binding.var] || ReadsChanged(binding)) return false;
    const std::optional<std::string> key = Key(binding.rhs);
    if (!key) return false;
    const ir::Value& value = module_.values[binding.var];
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto it = scope->find(*key);
      if (it == scope->end()) continue;
      const ir::Value& first = module_.values[it->second];
      if (!SameInfo(context_, module_, bound_, value.info, first.info)) return false;
      replacement_.Set(binding.var, ir::Operand{it->second});
      return true;
    }
    scopes_.back().emplace(*key, binding.var);
    return false;
  }

  bool ReadsChanged(const ir::Binding& binding) const {
    bool changed = false;
    ForEachUse(module_, binding, [&](ir::ValueId id) { changed |= changed_[id] != 0; });
    return changed;
  }

  std::optional<std::string> Key(const ir::Rhs& rhs) const {
    if (const auto* call = std::get_if<ir::Call>(&rhs)) {
      if (!IsEffectFree(context_, module_, *call)) return std::nullopt;
      if (call->op() != nullptr && Allocates(*call->op())) return std::nullopt;
      return absl::StrCat("call ", KeyOf(*call));
    }
    if (const auto* get = std::get_if<ir::GetField>(&rhs)) {
      return absl::StrCat("field ", get->index, " ", KeyOf(get->tuple));
    }
    const auto* operand = std::get_if<ir::Operand>(&rhs);
    if (operand == nullptr || operand->As<ir::TupleExpr>() == nullptr) return std::nullopt;
    return absl::StrCat("tuple ", KeyOf(*operand));
  }

  ir::Context& context_;
  ir::Module& module_;
  Replacement replacement_;
  const IdVector<ir::ValueId, char> changed_;
  const analysis::ShapeScope bound_;
  std::vector<Seen> scopes_;  // of the enclosing bodies, up to that of the function
};

}  // namespace

void EliminateCommonSubexpr(ir::Context& context, ir::Module& module) {
  Elimination elimination(context, module);
  ForEachFunction(module, [&](ir::Function& f) { elimination.InFunction(f.body); });
  MarkDataflowVars(module);
}

}  // namespace lathe::transform
