// Which parts of the expressions of a few statements are worth a variable, and where they may be
// computed.
#ifndef LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_
#define LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Whether evaluating `e` where it may not be asked for does no harm, its operands aside: nothing is
// read outside of memory or divided by zero, and it takes no time to speak of.
bool IsHarmlessNode(ir::Context& context, ir::PrimRef e, const analysis::Assumptions& known);

// Of statements that run one after another, with nothing stored between: `roots` holds what each of
// them evaluates. `known` are the ranges of the loops around them.
class RepeatedParts {
 public:
  RepeatedParts(ir::Context& context, const std::vector<std::vector<ir::PrimRef>>& roots,
                const analysis::Assumptions& known);

  // Those that may be computed before statement `i`, and that it or a later one says again: parts
  // come before what they are parts of.
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
  absl::flat_hash_map<ir::PrimRef, int> times_;  // how often C would say it
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_REPEATED_PARTS_H_
