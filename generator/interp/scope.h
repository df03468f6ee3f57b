// Maps Relax variables and shape variables to values while a function runs. Leaving a scope unbinds
// the variables that were bound in it.
#ifndef LATHE_INTERP_SCOPE_H_
#define LATHE_INTERP_SCOPE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/interp/values.h"

namespace lathe::interp {

class Scope {
 public:
  struct Mark {
    size_t values = 0;
    size_t shape_vars = 0;
  };

  void Bind(ir::ValueId id, Value value) {
    values_[id.index] = std::move(value);
    bound_.push_back(id);
  }
  void BindShapeVar(ir::PrimRef var, Scalar value) {
    shape_vars_[var] = value;
    bound_shape_vars_.push_back(var);
  }
  // Returns null if the variable is unbound.
  const Value* Find(ir::ValueId id) const {
    const auto it = values_.find(id.index);
    return it == values_.end() ? nullptr : &it->second;
  }
  const Scalar* FindShapeVar(ir::PrimRef var) const {
    const auto it = shape_vars_.find(var);
    return it == shape_vars_.end() ? nullptr : &it->second;
  }
  const ShapeVars& shape_vars() const { return shape_vars_; }
  // Returns the number of bound Relax variables.
  size_t size() const { return values_.size(); }

  Mark Enter() const { return {bound_.size(), bound_shape_vars_.size()}; }
  void Leave(Mark mark) {
    for (; bound_.size() > mark.values; bound_.pop_back()) values_.erase(bound_.back().index);
    for (; bound_shape_vars_.size() > mark.shape_vars; bound_shape_vars_.pop_back()) {
      shape_vars_.erase(bound_shape_vars_.back());
    }
  }
  // Unbinds the variables that were bound since `mark` and for which `forget` is true.
  template <typename F>
  void LeaveIf(Mark mark, F forget) {
    size_t kept = mark.values;
    for (size_t n = mark.values; n < bound_.size(); ++n) {
      if (forget(bound_[n])) {
        values_.erase(bound_[n].index);
      } else {
        bound_[kept++] = bound_[n];
      }
    }
    bound_.resize(kept);
  }

 private:
  absl::flat_hash_map<int32_t, Value> values_;
  ShapeVars shape_vars_;
  std::vector<ir::ValueId> bound_;
  std::vector<ir::PrimRef> bound_shape_vars_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_SCOPE_H_
