// Builds the call graph of a module and its strongly connected components.
#ifndef LATHE_ANALYSIS_CALL_GRAPH_H_
#define LATHE_ANALYSIS_CALL_GRAPH_H_

#include <vector>

#include "generator/ir/module.h"

namespace lathe::analysis {

class CallGraph {
 public:
  explicit CallGraph(const ir::Module& module);

  // Returns the globals that the body of `f` mentions, as callees or operands, each once, in source
  // order.
  const std::vector<ir::GlobalId>& uses(ir::GlobalId f) const { return uses_[f]; }
  // Returns all globals, callees before callers except within a cycle.
  const std::vector<ir::GlobalId>& callees_first() const { return callees_first_; }
  // Returns whether the two functions reach each other. A function that reaches itself is recursive
  // with itself.
  bool Recursive(ir::GlobalId a, ir::GlobalId b) const;
  // Returns the number of functions in the component of `f`, including `f`; 1 if `f` is not
  // mutually recursive.
  int ComponentSize(ir::GlobalId f) const { return component_size_[component_[f]]; }
  // Returns the shortest path from `f` back to `f`, without `f` at the end; empty if it is not
  // recursive.
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
