// Which functions of a module use which, and which are recursive together.
#ifndef LATHE_ANALYSIS_CALL_GRAPH_H_
#define LATHE_ANALYSIS_CALL_GRAPH_H_

#include <vector>

#include "generator/ir/module.h"

namespace lathe::analysis {

class CallGraph {
 public:
  explicit CallGraph(const ir::Module& module);

  // The globals that the body of `f` mentions, called or passed on, each once, in that order.
  const std::vector<ir::GlobalId>& uses(ir::GlobalId f) const { return uses_[f]; }
  // Every global once; what a function uses comes before it, except for what uses it in turn.
  const std::vector<ir::GlobalId>& callees_first() const { return callees_first_; }
  // Whether the two reach each other. A function that uses itself is recursive with itself.
  bool Recursive(ir::GlobalId a, ir::GlobalId b) const;
  // How many functions `f` is recursive together with, itself among them; 1 for one that is alone.
  int Together(ir::GlobalId f) const { return component_size_[component_[f]]; }
  // From `f` over others back to `f`, without `f` at the end; empty when it is not recursive.
  std::vector<ir::GlobalId> Cycle(ir::GlobalId f) const;

 private:
  void FindComponents();

  IdVector<ir::GlobalId, std::vector<ir::GlobalId>> uses_;
  IdVector<ir::GlobalId, int> component_;
  std::vector<int> component_size_;
  std::vector<ir::GlobalId> callees_first_;
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_CALL_GRAPH_H_
