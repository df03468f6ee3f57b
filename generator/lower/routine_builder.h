// Builds the steps of a routine: maps values of the function to forms and tracks where steps go.
#ifndef LATHE_LOWER_ROUTINE_BUILDER_H_
#define LATHE_LOWER_ROUTINE_BUILDER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/shape_scope.h"
#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/limit_size.h"
#include "generator/lower/lowering.h"
#include "generator/lower/match_sizes.h"
#include "generator/lower/written_values.h"

namespace lathe::lower {

// Returns whether a call in the body may write into its arguments. The bodies of called functions
// of the module are not examined.
bool WritesInPlace(const ir::Module& module, const ir::Body& body);

class RoutineBuilder {
 public:
  RoutineBuilder(Lowering& lowering, ir::RoutineId routine, const ir::Function& f);

  void Emit(ir::Step::Node node, const Location& loc) { steps_->push_back({std::move(node), loc}); }
  // Emits the check unless an earlier step has made it: sizes never change.
  void EmitCheck(ir::CheckStep check, const Location& loc);
  void EmitChecks(SizeMatch& match, const Location& loc);
  // Emits a branch with the steps that each callback emits.
  void EmitBranch(ir::Part cond, absl::FunctionRef<void()> then_side,
                  absl::FunctionRef<void()> else_side, const Location& loc);
  // While the guard lives, code is lowered for a choice of ranks made here.
  class RankChoice {
   public:
    explicit RankChoice(RoutineBuilder& b) : b_(b), outer_(b.rank_choice_depth_) {
      b.rank_choice_depth_ = b.depth_;
      ++b.rank_depth;
    }
    ~RankChoice() {
      b_.rank_choice_depth_ = outer_;
      --b_.rank_depth;
    }
    RankChoice(const RankChoice&) = delete;
    RankChoice& operator=(const RankChoice&) = delete;

   private:
    RoutineBuilder& b_;
    const int outer_;
  };
  // While the guard lives, steps go to `branch`, and new tensors belong to it.
  class InBranch {
   public:
    InBranch(RoutineBuilder& b, ir::Steps& branch)
        : b_(b), outer_(b.steps_), checked_before_(b.checked_.size()) {
      b.steps_ = &branch;
      ++b.depth_;
    }
    ~InBranch() {
      b_.steps_ = outer_;
      --b_.depth_;
      for (; b_.checked_.size() > checked_before_; b_.checked_.pop_back()) {
        b_.is_checked_.erase(b_.checked_.back());
      }
    }

   private:
    RoutineBuilder& b_;
    ir::Steps* outer_;
    const size_t checked_before_;
  };

  // While the guard lives, values and shape variables are those of an inlined body. Each inlined
  // body has its own, because a function may be inlined into itself.
  class Frame {
   public:
    explicit Frame(RoutineBuilder& b) : b_(b) { Swap(); }
    ~Frame() { Swap(); }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    void Swap();

    RoutineBuilder& b_;
    absl::node_hash_map<ir::ValueId, Form> forms_;
    analysis::ShapeVarMap scope_;
  };

  void Bind(ir::ValueId var, Form form) { forms_[var] = std::move(form); }
  // Returns the form of the operand, or nothing after a report.
  std::optional<Form> FormOf(const ir::Operand& operand, const Location& loc);
  // Creates a tensor for each one in `info` and a declared variable for each scalar. Returns
  // nothing after a report.
  std::optional<Form> NewResult(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                                const Location& loc);
  // Creates a tensor in the arena. A tensor of dynamic size is reserved at this step.
  ir::TensorId NewTensor(ir::Tensor tensor, const Location& loc);
  // Creates a view of all bytes of `whole`.
  ir::TensorId NewView(ir::TensorId whole, const ir::TensorInfo& info, absl::string_view name,
                       const Location& loc);

  // Creates a variable that will hold one of `values`, which have one dtype. It is a size if all of
  // them are.
  ir::PrimRef NewVarFor(absl::string_view name, const std::vector<ir::PrimRef>& values);
  // Returns whether `e` is known to be nonnegative.
  bool IsSize(ir::PrimRef e) const;
  // Emits checks that end the run if a dimension is negative or the tensor is too large.
  void CheckSizes(const std::vector<ir::PrimRef>& shape, absl::string_view name,
                  const Location& loc);

  // Returns the info known for a value at this step.
  ir::StructInfoRef InfoOf(const Form& form) const;
  // Returns whether all variables of `e` are known when the routine starts.
  bool IsKnownAtEntry(ir::PrimRef e) const;
  // Declares that `size` is not a dimension of any tensor yet, so it has no upper limit.
  void AddUnlimitedSize(ir::PrimRef size) { unlimited_sizes_.insert(size); }

  // Replaces the variables of a scalar by their values in the routine as far as they are known.
  ir::PrimRef Resolve(ir::PrimRef e);
  // Defines `var`, new in a match_cast, as `value` from here on.
  void Define(ir::PrimRef var, ir::PrimRef value);
  const analysis::ShapeVarMap& scope() const { return scope_; }
  // Returns all variables defined in the routine. In an inlined body, scope() leaves out those of
  // the caller, but sizes of arguments and of captured values may mention them.
  const analysis::ShapeScope& vars() const { return vars_; }
  void SetScope(analysis::ShapeVarMap scope) { scope_ = std::move(scope); }

  // Tries to allocate the tensor `from` at the location of `to`, so that no copy is needed. Returns
  // whether it did.
  bool TryAllocateIn(ir::TensorId from, ir::TensorId to);
  // Allocates a tensor of dynamic size in kept memory if possible, so that keeping it needs no
  // copy.
  void TryAllocateKept(ir::TensorId from);
  // Stores `from` in `to`, without a copy where it can be allocated there. Returns false after a
  // report if the two differ in structure.
  bool Deliver(const Form& from, const Form& to, const Location& loc);

  // Returns whether results may be views of operands that Relax copies: nothing in the function
  // writes in place.
  bool may_view() const { return may_view_; }
  // Returns whether nothing in the function writes to the value or to memory that it shares.
  bool IsUnwritten(const ir::Operand& operand) const;
  const WrittenValues& written() const { return written_; }
  // Adds the written values of the function, or of a function inlined into it.
  void AddWritten(const WrittenValues& written) { written_.Add(written); }
  // Records that the last step stored `value` in the tensor's only element. `once`: it has a single
  // use.
  void NoteScalar(ir::TensorId tensor, ir::PrimRef value, bool once) {
    scalar_of_[tensor] = {value, once};
  }
  // Returns that value, else the tensor. The storing step is removed if this is the single use.
  ir::Part AsScalar(ir::TensorId tensor);
  // Returns all steps at the end.
  ir::Steps Take() { return std::move(root_); }

  Lowering& lowering;
  const ir::RoutineId routine;
  const ir::Function& function;                 // the source function
  absl::flat_hash_set<ir::ValueId> next_state;  // values that it returns for its state
  int rank_bodies = 0;  // copies lowered so far for rank choices (for_each_rank.h)
  int rank_depth = 0;   // rank choices around the current step
  // Ends the run for `what` if the code that follows is invalid for the ranks chosen here. Returns
  // false if no rank was chosen or if only part of the remaining code is in the branch.
  bool EndRankChoice(const std::string& what, const Location& loc);
  // Emits a check that always fails, which ends the run.
  void EndRun(const std::string& what, const Location& loc);

 private:
  bool HasDynamicSize(ir::TensorId id) const;
  void BeginWithSizes(const ir::Routine& r);
  // Records the bound of a variable that follows from `cond`.
  void Assume(ir::PrimRef cond);
  // Returns whether the size may exceed the limit of tensors.
  bool IsAnySize(ir::PrimRef dim) const;
  // Emits checks that end the run if the arithmetic of `dim`, a size of `name`, overflows or
  // divides by 0.
  LimitedSize Limited(ir::PrimRef dim, SignedSums sums, absl::string_view name,
                      const Location& loc);
  // Returns whether the tensor can be allocated elsewhere: it is created in this routine, as a
  // whole.
  bool CanMove(ir::TensorId from) const;
  bool IsOutput(ir::TensorId id) const {
    return lowering.program.tensors[id].home == ir::Home::kOutput;
  }
  bool DeliverParts(const Form& from, const Form& to, const Location& loc);
  bool DeliverTensor(ir::TensorId from, ir::TensorId to, const Location& loc);

  ir::Steps root_;
  ir::Steps* steps_ = &root_;
  int depth_ = 0;
  int rank_choice_depth_ = -1;  // depth of the innermost rank choice
  bool may_view_;
  WrittenValues written_;
  absl::node_hash_map<ir::ValueId, Form> forms_;  // node-based: forms are large
  analysis::ShapeVarMap scope_;
  analysis::ShapeScope vars_;
  absl::flat_hash_set<ir::PrimRef> known_at_entry_;  // the variables known when the routine starts
  absl::flat_hash_set<ir::PrimRef> unlimited_sizes_;
  analysis::Assumptions known_sizes_;
  std::vector<ir::PrimRef> checked_;  // conditions that hold at the current step, the newest last
  absl::flat_hash_set<ir::PrimRef> is_checked_;
  struct KnownScalar {
    ir::PrimRef value = nullptr;
    bool once = false;
  };
  absl::flat_hash_map<ir::TensorId, KnownScalar> scalar_of_;
  absl::flat_hash_map<ir::TensorId, int> depth_of_;  // branch depth of the tensors created here
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_ROUTINE_BUILDER_H_
