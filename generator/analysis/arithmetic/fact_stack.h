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

  // A position in the stack; RestoreTo drops all facts added after it.
  struct Mark {
    size_t facts = 0, bindings = 0, either = 0, conditions = 0;
  };
  Mark Here() const {
    return {facts_.size(), bindings_.size(), disjunctions_.size(), conditions_.size()};
  }
  void RestoreTo(const Mark& mark);

  // min <= var < min + extent.
  void AddLoop(ir::PrimRef var, ir::PrimRef min, ir::PrimRef extent);
  // Bounds a variable by constants: a size with declared bounds.
  void AddRange(ir::PrimRef var, Interval range);
  // Records var == value.
  void AddBinding(ir::PrimRef var, ir::PrimRef value);
  void Assume(ir::PrimRef condition) { Add(condition, true); }
  void AssumeNot(ir::PrimRef condition) { Add(condition, false); }
  // All elements of `data` are in [0, end) until ClearElementBounds is called.
  void BoundElements(ir::PrimRef data, ir::PrimRef end) { element_ends_[data] = SumOf(end); }
  void ClearElementBounds() { element_ends_.clear(); }
  // Drops facts about elements of the memory.
  void Invalidate(ir::PrimRef data);

  // A variable bound to a loaded value stands for the load only while the memory is not written.
  // MarkMutable marks memory as written.
  void MarkMutable(ir::PrimRef data) { mutable_data_.insert(data); }
  void MarkAllMutable() { all_mutable_ = true; }
  void ClearMutable() {
    mutable_data_.clear();
    all_mutable_ = false;
  }

  bool IsNotNegative(ir::PrimRef e);
  bool IsBelow(ir::PrimRef e, ir::PrimRef end);
  bool IsAtMost(ir::PrimRef e, ir::PrimRef most);
  // Returns whether `condition`, or each of its conjuncts, is assumed as written. For conditions
  // that are not proved as sums.
  bool IsAssumed(ir::PrimRef condition);

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
  void AddResolved(ir::PrimRef condition, bool holds, const std::vector<ir::PrimRef>* none);
  void AddAtLeastZero(const Sum& sum, const std::vector<ir::PrimRef>& reads);
  void AddImpossible(const std::vector<ir::PrimRef>& reads);
  void AddNonEmpty(ir::PrimRef extent);
  void AddComparison(ir::BinaryOp op, ir::PrimRef lhs, ir::PrimRef rhs,
                     const std::vector<ir::PrimRef>& reads);
  void ResetCache();
  std::optional<bool> KnownTruth(ir::PrimRef condition) const;

  // fact_stack_prove.cc
  bool Prove(const Sum& sum, int depth);
  bool ProveSum(const Sum& sum);
  bool ProveByParts(const Sum& sum, int depth);
  bool ProveByCases(const Sum& sum, int levels);
  bool Refutes(ir::PrimRef condition, bool holds);
  bool IsReached() const;
  bool ProveByWholeFact(const Sum& sum, int depth);
  bool ProveByDivision(const Part& part, int depth, bool& decided);
  bool ProveBySelect(const Part& part, int depth, bool& decided);
  bool ProveByFacts(const Sum& sum, const Part& part, int depth);
  std::optional<Sum> Eliminate(const Sum& sum, const Part& part, const Sum& fact);
  bool ProveWith(const Part& part, const Sum& value, int depth);
  bool ProveUnder(ir::PrimRef condition, bool holds, const Part& part, const Sum& value, int depth);
  bool IsImpossible(const Mark& since, int depth);
  std::vector<ir::PrimRef> AtomsOf(const Sum& sum) const;
  static std::optional<Part> PartOf(const Sum& sum, ir::PrimRef atom);

  // fact_stack_limits.cc
  bool ProveByBounds(const Part& part, int depth);
  std::vector<Sum> BoundsOfAtom(ir::PrimRef core, bool upper, int depth);
  Sum ExtremeOf(Sum sum, bool upper);
  int SignOf(const Sum& sum, int depth);
  // Strips widening casts.
  static ir::PrimRef Core(ir::PrimRef atom);
  Interval BoundsOf(const Sum& sum) { return arithmetic_->BoundsOf(sum); }

  ir::Context& ir_;
  Assumptions ranges_;
  std::optional<Arithmetic> arithmetic_;
  std::vector<Fact> facts_;
  std::vector<Either> disjunctions_;
  std::vector<Condition> conditions_;
  std::vector<ir::PrimRef> bindings_;  // in the order of their binding
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
      element_ends_;  // exclusive upper bounds of the elements, by data pointer
  absl::flat_hash_set<ir::PrimRef> mutable_data_;
  bool all_mutable_ = false;
  int steps_ = 0;         // steps that the current proof may still take
  int failed_steps_ = 0;  // steps spent on failed proofs
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_FACT_STACK_H_
