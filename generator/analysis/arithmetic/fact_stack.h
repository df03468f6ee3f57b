// Tracks the facts that hold at a point of a program and proves bounds from them: that an index is
// not negative, that it is below a size. Facts are pushed while a program is walked and popped when
// their scope ends.
#ifndef LATHE_ANALYSIS_ARITHMETIC_FACT_STACK_H_
#define LATHE_ANALYSIS_ARITHMETIC_FACT_STACK_H_

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/arithmetic.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// A fact is a sum that is not negative. A proof combines facts: it eliminates a loop variable by
// the loop's bounds, a remainder by its divisor, a select by both of its values.
class FactStack {
 public:
  explicit FactStack(ir::Context& context);

  // A position in the stack; BackTo drops all facts added after it.
  struct Mark {
    size_t facts = 0, bindings = 0, either = 0, conditions = 0;
  };
  Mark Here() const { return {facts_.size(), bound_.size(), either_.size(), conditions_.size()}; }
  void BackTo(const Mark& mark);

  // min <= var < min + extent.
  void Counts(ir::PrimRef var, ir::PrimRef min, ir::PrimRef extent);
  // Bounds a variable by constants: a size with declared bounds.
  void Ranges(ir::PrimRef var, Interval range);
  // Records var == value.
  void Binds(ir::PrimRef var, ir::PrimRef value);
  void Holds(ir::PrimRef condition) { Add(condition, true); }
  void HoldsNot(ir::PrimRef condition) { Add(condition, false); }
  // All elements of `data` are in [0, end) until NoElements is called.
  void Elements(ir::PrimRef data, ir::PrimRef end) { elements_[data] = SumOf(end); }
  void NoElements() { elements_.clear(); }
  // Drops facts about elements of the memory.
  void Changes(ir::PrimRef data);

  // A variable bound to a loaded value is replaced by the load only if the memory is not written
  // meanwhile. MayChange marks memory as written.
  void MayChange(ir::PrimRef data) { changing_.insert(data); }
  void AllMayChange() { all_change_ = true; }
  void NothingChanges() {
    changing_.clear();
    all_change_ = false;
  }

  bool IsNotNegative(ir::PrimRef e);
  bool IsBelow(ir::PrimRef e, ir::PrimRef end);
  bool IsAtMost(ir::PrimRef e, ir::PrimRef most);

  // Returns `e` with variables replaced by their bound values.
  ir::PrimRef Resolved(ir::PrimRef e);

 private:
  struct Fact {
    Sum sum;
    bool alive = true;
    std::vector<ir::PrimRef> reads;  // data pointers of the memory that the fact depends on
  };
  struct Either {
    ir::PrimRef left = nullptr, right = nullptr;  // at least one holds
    std::vector<ir::PrimRef> reads;
    bool alive = true;
  };
  // A condition that is not a comparison of integers; kept as written.
  struct Condition {
    ir::PrimRef condition = nullptr;
    bool holds = true;
    std::vector<ir::PrimRef> reads;
    bool alive = true;
  };
  // A sum split by one atom: sum = times * atom + rest.
  struct Part {
    ir::PrimRef atom = nullptr;
    Sum times, rest;
  };

  // fact_stack.cc
  ir::PrimRef Wide(ir::PrimRef e);
  Sum SumOf(ir::PrimRef e) { return arithmetic_->AsSum(Wide(e)); }
  void Add(ir::PrimRef condition, bool holds);
  void AddAtLeastZero(const Sum& sum, const std::vector<ir::PrimRef>& reads);
  void AddImpossible(const std::vector<ir::PrimRef>& reads);
  void AddSome(ir::PrimRef extent);
  void AddComparison(ir::BinaryOp op, ir::PrimRef lhs, ir::PrimRef rhs);
  void Forget();
  std::optional<bool> Says(ir::PrimRef condition) const;

  // fact_stack_prove.cc
  bool Prove(const Sum& sum, int depth);
  bool ProveSum(const Sum& sum);
  bool ProveByEither(const Sum& sum, int levels);
  bool Refutes(ir::PrimRef condition, bool holds);
  bool IsReached() const;
  bool ByWholeFacts(const Sum& sum, int depth);
  bool Together(const Part& part, int depth, bool& decided);
  bool ByChoice(const Part& part, int depth, bool& decided);
  bool ByFacts(const Sum& sum, const Part& part, int depth);
  std::optional<Sum> Without(const Sum& sum, const Part& part, const Sum& fact);
  bool With(const Part& part, const Sum& value, int depth);
  bool Under(ir::PrimRef condition, bool holds, const Part& part, const Sum& value, int depth);
  bool IsImpossible(const Mark& since, int depth);
  std::vector<ir::PrimRef> AtomsOf(const Sum& sum) const;
  static std::optional<Part> PartOf(const Sum& sum, ir::PrimRef atom);

  // fact_stack_limits.cc
  bool ByEnds(const Part& part, int depth);
  std::vector<Sum> LimitsOf(ir::PrimRef core, bool upper, int depth);
  Sum Extreme(Sum sum, bool upper);
  int SignOf(const Sum& sum, int depth);
  // Strips widening casts.
  static ir::PrimRef Core(ir::PrimRef atom);
  Interval BoundsOf(const Sum& sum) { return arithmetic_->BoundsOf(sum); }

  ir::Context& ir_;
  Assumptions ranges_;
  std::optional<Arithmetic> arithmetic_;
  std::vector<Fact> facts_;
  std::vector<Either> either_;
  std::vector<Condition> conditions_;
  std::vector<ir::PrimRef> bound_;  // in the order of their binding
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> values_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> resolved_;
  // First and last values of loop variables, keyed by the variable as it occurs in sums, with the
  // nesting depth of the loop.
  struct Loop {
    Sum first, last;
    int depth = 0;
  };
  absl::flat_hash_map<ir::PrimRef, Loop> loops_;
  absl::flat_hash_map<ir::PrimRef, Sum>
      elements_;  // exclusive upper bounds of the elements, by data pointer
  absl::flat_hash_set<ir::PrimRef> changing_;
  bool all_change_ = false;
  int steps_ = 0;    // steps that the current proof may still take
  int in_vain_ = 0;  // steps spent on failed proofs
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_FACT_STACK_H_
