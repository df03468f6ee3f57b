// Tracks the shape variables in scope: the specification's Σ. Leaving a scope takes time
// proportional to the variables it added.
#ifndef LATHE_ANALYSIS_SHAPE_SCOPE_H_
#define LATHE_ANALYSIS_SHAPE_SCOPE_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

class ShapeScope {
 public:
  using Mark = size_t;

  bool Has(ir::PrimRef var) const { return vars_.contains(var); }
  void Add(ir::PrimRef var) {
    if (vars_.insert(var).second) log_.push_back(var);
  }

  // Leave(mark) removes the variables added since Enter() returned `mark`.
  Mark Enter() const { return log_.size(); }
  void Leave(Mark mark) {
    for (; log_.size() > mark; log_.pop_back()) vars_.erase(log_.back());
  }

 private:
  absl::flat_hash_set<ir::PrimRef> vars_;
  std::vector<ir::PrimRef> log_;
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SHAPE_SCOPE_H_
