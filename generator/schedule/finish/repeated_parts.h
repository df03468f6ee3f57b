// Selects the common subexpressions of a statement list that are worth a variable, and where to
// compute them.
#ifndef LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_
#define LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns whether speculative evaluation of the node `e`, ignoring its operands, is safe and cheap:
// no load out of bounds, no division by 0.
bool IsHarmlessNode(ir::Context& context, ir::PrimRef e, const analysis::Assumptions& known);

// Analyzes statements that run in sequence without stores between them. `roots` are the expressions
// of each statement; `known` are the ranges of the enclosing loops.
class RepeatedParts {
 public:
  RepeatedParts(ir::Context& context, const std::vector<std::vector<ir::PrimRef>>& roots,
                const analysis::Assumptions& known);

  // Returns the expressions to compute before statement `i`: those in it that the list repeats,
  // that are worth a variable, and that can be evaluated there. Operands come first.
  std::vector<ir::PrimRef> Before(size_t i) const;

 private:
  void Order(ir::PrimRef e);
  void MarkAlways(ir::PrimRef e, absl::flat_hash_set<ir::PrimRef>& always) const;
  bool IsWorthIt(ir::PrimRef e) const;
  int CostOf(ir::PrimRef e);

  ir::Context& ir_;
  const std::vector<std::vector<ir::PrimRef>>& roots_;
  const analysis::Assumptions& known_;
  std::vector<ir::PrimRef> order_;  // operands first
  absl::flat_hash_set<ir::PrimRef> ordered_;
  absl::flat_hash_map<ir::PrimRef, bool> harmless_;
  absl::flat_hash_map<ir::PrimRef, int> cost_;
  absl::flat_hash_map<ir::PrimRef, int> times_;  // how often C would print it
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_
