#include "generator/analysis/call_graph.h"

#include <algorithm>
#include <deque>

#include "absl/container/flat_hash_set.h"

namespace lathe::analysis {
namespace {

using ir::GlobalId;

class UseCollector {
 public:
  explicit UseCollector(std::vector<GlobalId>& uses) : uses_(uses) {}

  void Visit(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) Visit(binding.rhs);
    }
    Visit(body.result);
  }

 private:
  void Visit(const ir::Operand& operand) {
    ir::ForEachLeaf(operand, [this](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<GlobalId>()) Add(*id);
    });
  }

  void Visit(const ir::Rhs& rhs) {
    ir::ForEachOperand(rhs, [this](const ir::Operand& operand) { Visit(operand); });
    if (const auto* call = std::get_if<ir::Call>(&rhs)) {
      if (const auto* id = std::get_if<GlobalId>(&call->callee)) Add(*id);
    } else if (const auto* branch = std::get_if<ir::If>(&rhs)) {
      Visit(branch->then_body);
      Visit(branch->else_body);
    } else if (const auto* function = std::get_if<ir::Function>(&rhs)) {
      Visit(function->body);
    }
  }

  void Add(GlobalId id) {
    if (seen_.insert(id.index).second) uses_.push_back(id);
  }

  std::vector<GlobalId>& uses_;
  absl::flat_hash_set<int32_t> seen_;
};

}  // namespace

CallGraph::CallGraph(const ir::Module& module)
    : uses_(module.globals.size()), component_(module.globals.size(), -1) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const GlobalId id{i};
    if (const ir::Function* f = module.globals[id].function())
      UseCollector(uses_[id]).Visit(f->body);
  }
  FindComponents();
}

// Tarjan's strongly connected components, with a stack of its own: chains of calls may be long.
void CallGraph::FindComponents() {
  struct Frame {
    GlobalId id;
    size_t next_use = 0;
  };
  const size_t count = uses_.size();
  IdVector<GlobalId, int> order(count, -1);
  IdVector<GlobalId, int> lowest(count, -1);
  std::vector<GlobalId> open;
  int next_order = 0;
  for (int32_t root = 0; root < static_cast<int32_t>(count); ++root) {
    if (order[GlobalId{root}] >= 0) continue;
    std::vector<Frame> frames = {{GlobalId{root}}};
    while (!frames.empty()) {
      const GlobalId id = frames.back().id;
      if (order[id] < 0) {
        order[id] = lowest[id] = next_order++;
        open.push_back(id);
      }
      if (frames.back().next_use < uses_[id].size()) {
        const GlobalId used = uses_[id][frames.back().next_use++];
        if (order[used] < 0) {
          frames.push_back({used});
        } else if (component_[used] < 0) {
          lowest[id] = std::min(lowest[id], order[used]);
        }
        continue;
      }
      if (lowest[id] == order[id]) {
        const int component = static_cast<int>(component_size_.size());
        component_size_.push_back(0);
        GlobalId member;
        do {
          member = open.back();
          open.pop_back();
          component_[member] = component;
          callees_first_.push_back(member);
          ++component_size_[component];
        } while (member != id);
      }
      frames.pop_back();
      if (!frames.empty()) {
        lowest[frames.back().id] = std::min(lowest[frames.back().id], lowest[id]);
      }
    }
  }
}

bool CallGraph::Recursive(GlobalId a, GlobalId b) const {
  if (component_[a] != component_[b]) return false;
  if (component_size_[component_[a]] > 1) return true;
  return std::find(uses_[a].begin(), uses_[a].end(), a) != uses_[a].end();
}

std::vector<GlobalId> CallGraph::Cycle(GlobalId f) const {
  if (!Recursive(f, f)) return {};
  // Breadth-first search for the shortest path back.
  IdVector<GlobalId, GlobalId> reached_from(uses_.size());
  std::deque<GlobalId> waiting = {f};
  while (!waiting.empty()) {
    const GlobalId id = waiting.front();
    waiting.pop_front();
    for (GlobalId used : uses_[id]) {
      if (used == f) {
        std::vector<GlobalId> cycle;
        for (GlobalId at = id; at != f; at = reached_from[at]) cycle.push_back(at);
        cycle.push_back(f);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (component_[used] != component_[f] || reached_from[used].valid()) continue;
      reached_from[used] = id;
      waiting.push_back(used);
    }
  }
  return {};
}

}  // namespace lathe::analysis
