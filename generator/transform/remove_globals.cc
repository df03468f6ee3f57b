#include "generator/transform/remove_globals.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/each_body.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::transform {
namespace {

class Renumbering {
 public:
  explicit Renumbering(const IdVector<ir::GlobalId, ir::GlobalId>& ids) : ids_(ids) {}

  void In(ir::Body& body) {
    ForEachBinding(body, [&](ir::Block&, ir::Binding& binding) { In(binding.rhs); });
    ForEachResult(body);
  }

 private:
  void ForEachResult(ir::Body& body) {
    In(body.result);
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { ForEachResult(inner); });
      }
    }
  }

  void In(ir::Operand& operand) {
    if (auto* id = operand.As<ir::GlobalId>()) *id = ids_[*id];
    if (auto* tuple = operand.As<ir::TupleExpr>()) {
      for (ir::Operand& field : tuple->fields) In(field);
    }
  }

  void In(ir::Rhs& rhs) {
    if (auto* operand = std::get_if<ir::Operand>(&rhs)) return In(*operand);
    if (auto* get = std::get_if<ir::GetField>(&rhs)) return In(get->tuple);
    if (auto* cast = std::get_if<ir::MatchCast>(&rhs)) return In(cast->value);
    if (auto* branch = std::get_if<ir::If>(&rhs)) return In(branch->cond);
    auto* call = std::get_if<ir::Call>(&rhs);
    if (call == nullptr) return;
    if (auto* id = std::get_if<ir::GlobalId>(&call->callee)) *id = ids_[*id];
    for (ir::Operand& arg : call->args) In(arg);
  }

  const IdVector<ir::GlobalId, ir::GlobalId>& ids_;
};

}  // namespace

void KeepGlobals(ir::Module& module, const IdVector<ir::GlobalId, char>& keep) {
  IdVector<ir::GlobalId, ir::GlobalId> ids(module.globals.size());
  IdVector<ir::GlobalId, ir::Global> kept;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    if (keep[id]) ids[id] = kept.Add(std::move(module.globals[id]));
  }
  module.globals = std::move(kept);
  Renumbering renumbering(ids);
  ForEachFunction(module, [&](ir::Function& f) { renumbering.In(f.body); });
}

void RemoveUnreachableGlobals(ir::Module& module) {
  if (module.loose) return;
  const analysis::CallGraph graph(module);
  absl::flat_hash_map<std::string, ir::GlobalId> by_name;
  IdVector<ir::GlobalId, char> keep(module.globals.size(), false);
  std::vector<ir::GlobalId> open;
  const auto reach = [&](ir::GlobalId id) {
    if (!std::exchange(keep[id], true)) open.push_back(id);
  };
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    by_name[global.name] = ir::GlobalId{i};
    if (ir::IsExported(global)) reach(ir::GlobalId{i});
  }
  if (open.empty()) return;
  size_t reached = 0;
  for (; !open.empty(); ++reached) {
    const ir::GlobalId id = open.back();
    open.pop_back();
    for (ir::GlobalId used : graph.uses(id)) reach(used);
    if (const ir::PrimFunc* f = module.globals[id].prim_func()) {
      for (const std::string& name : ir::MentionsOf(*f).globals) {
        const auto it = by_name.find(name);
        if (it != by_name.end()) reach(it->second);
      }
    }
  }
  if (reached < module.globals.size()) KeepGlobals(module, keep);
}

}  // namespace lathe::transform
