// Analyzes which values of a function may be in memory that is written: the arguments of calls that
// write in place, and values that may share their bytes.
#ifndef LATHE_LOWER_WRITTEN_VALUES_H_
#define LATHE_LOWER_WRITTEN_VALUES_H_

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/module.h"
#include "generator/lower/param_effects.h"

namespace lathe::lower {

class Lowering;

class WrittenValues {
 public:
  // The empty set.
  WrittenValues() = default;
  // For an inlined body, `in_place_of_call`, later writes to the result are not known: it counts as
  // written.
  WrittenValues(const Lowering& lowering, const ir::Function& f, bool in_place_of_call);

  bool Has(ir::ValueId id) const { return written_.contains(id); }
  void Add(const WrittenValues& more) {
    written_.insert(more.written_.begin(), more.written_.end());
  }

 private:
  absl::flat_hash_set<ir::ValueId> written_;
};

// Analyzes the effects of each function of the module on its parameters.
FunctionEffects AnalyzeEffects(const ir::Module& module, const analysis::CallGraph& calls);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_WRITTEN_VALUES_H_
