#include "generator/transform/topological_sort.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/each_body.h"
#include "generator/ir/mentions.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/effects.h"

namespace lathe::transform {
namespace {

// The dependences between the bindings of a block.
struct Graph {
  std::vector<std::vector<int>> users;
  std::vector<std::vector<int>> needs;
};

class Sorter {
 public:
  Sorter(ir::Context& context, const ir::Module& module, SortOrder order, SortFrom from)
      : context_(context), module_(module), order_(order), from_(from) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      if (block.dataflow) In(block);
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
    }
  }

 private:
  void In(ir::Block& block) {
    Graph graph = GraphOf(block);
    if (from_ == SortFrom::kOutputs) std::swap(graph.users, graph.needs);
    std::vector<int> sorted = Sort(graph);
    if (from_ == SortFrom::kOutputs) std::reverse(sorted.begin(), sorted.end());
    std::vector<ir::Binding> bindings;
    for (int i : sorted) bindings.push_back(std::move(block.bindings[i]));
    block.bindings = std::move(bindings);
  }

  Graph GraphOf(const ir::Block& block) {
    const int count = static_cast<int>(block.bindings.size());
    Graph graph{std::vector<std::vector<int>>(count), std::vector<std::vector<int>>(count)};
    absl::flat_hash_map<ir::ValueId, int> made_by;
    absl::flat_hash_map<ir::PrimRef, int> bound_by;
    int barrier = -1;
    for (int i = 0; i < count; ++i) {
      const ir::Binding& binding = block.bindings[i];
      const auto after = [&](int before) {
        if (before < 0 || before == i) return;
        graph.users[before].push_back(i);
        graph.needs[i].push_back(before);
      };
      ForEachUse(module_, binding, [&](ir::ValueId id) {
        const auto it = made_by.find(id);
        if (it != made_by.end()) after(it->second);
      });
      if (!bound_by.empty()) {
        for (ir::PrimRef var : ShapeVarsOf(binding)) {
          const auto it = bound_by.find(var);
          if (it != bound_by.end()) after(it->second);
        }
      }
      after(barrier);
      if (HasEffect(context_, module_, binding.rhs)) {
        for (int before = barrier + 1; before < i; ++before) after(before);
        barrier = i;
      }
      made_by[binding.var] = i;
      if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) {
        for (ir::PrimRef var : analysis::BindingVars(cast->info)) bound_by.try_emplace(var, i);
      }
    }
    return graph;
  }

  // A function in a binding reads what the binding reads.
  std::vector<ir::PrimRef> ShapeVarsOf(const ir::Binding& binding) const {
    ir::Function alone;
    alone.body.blocks.push_back({false, {binding}, {}});
    alone.body.result = ir::Operand{binding.var};
    std::vector<ir::PrimRef> vars;
    const ir::Mentions mentions = ir::MentionsOf(module_, alone, /*with_info=*/false);
    for (const auto& [function, declared] : mentions.declarations) {
      vars.insert(vars.end(), declared.signature.begin(), declared.signature.end());
      vars.insert(vars.end(), declared.body.begin(), declared.body.end());
    }
    return vars;
  }

  std::vector<int> Sort(const Graph& graph) const {
    const int count = static_cast<int>(graph.users.size());
    std::vector<int> waits(count), sorted;
    std::deque<int> ready;
    const bool forward = from_ == SortFrom::kInputs;
    // Outputs are visited from last to first; the final reversal restores the order of the text.
    for (int n = 0; n < count; ++n) {
      const int i = forward ? n : count - 1 - n;
      waits[i] = static_cast<int>(graph.needs[i].size());
      if (waits[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      const int i = ready.front();
      ready.pop_front();
      sorted.push_back(i);
      std::vector<int> free;
      for (int user : graph.users[i]) {
        if (--waits[user] == 0) free.push_back(user);
      }
      std::sort(free.begin(), free.end());
      if (!forward) std::reverse(free.begin(), free.end());
      const auto where = order_ == SortOrder::kDepthFirst ? ready.begin() : ready.end();
      ready.insert(where, free.begin(), free.end());
    }
    return sorted;
  }

  ir::Context& context_;
  const ir::Module& module_;
  const SortOrder order_;
  const SortFrom from_;
};

}  // namespace

void TopologicalSort(ir::Context& context, ir::Module& module, SortOrder order, SortFrom from) {
  Sorter sorter(context, module, order, from);
  ForEachFunction(module, [&](ir::Function& f) { sorter.In(f.body); });
}

}  // namespace lathe::transform
