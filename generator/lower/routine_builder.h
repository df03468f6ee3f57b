// A routine while its steps are made: what the values of its function have become, and where the
// next step goes.
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
#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/limit_size.h"
#include "generator/lower/lowering.h"
#include "generator/lower/match_sizes.h"
#include "generator/lower/written_values.h"

namespace lathe::lower {

// Whether something in the body writes into a tensor that it is given.
bool WritesInPlace(const ir::Module& module, const ir::Body& body);

class RoutineBuilder {
 public:
  RoutineBuilder(Lowering& all, ir::RoutineId routine, const ir::Function& f);

  void Emit(ir::Step::Node node, const Location& loc) { steps_->push_back({std::move(node), loc}); }
  // Unless the steps that come before have checked it: sizes never change.
  void EmitCheck(ir::CheckStep check, const Location& loc);
  void EmitChecks(SizeMatch& match, const Location& loc);
  // A branch with what each side emits.
  void EmitBranch(ir::Part cond, absl::FunctionRef<void()> then_side,
                  absl::FunctionRef<void()> else_side, const Location& loc);
  // Until the guard's end, what comes is lowered for ranks that were chosen here.
  class Chosen {
   public:
    explicit Chosen(RoutineBuilder& b) : b_(b), outer_(b.chosen_depth_) {
      b.chosen_depth_ = b.depth_;
      ++b.rank_depth;
    }
    ~Chosen() {
      b_.chosen_depth_ = outer_;
      --b_.rank_depth;
    }
    Chosen(const Chosen&) = delete;
    Chosen& operator=(const Chosen&) = delete;

   private:
    RoutineBuilder& b_;
    const int outer_;
  };
  // Steps go to `branch` until the guard's end. Tensors made there belong to it.
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

  // Until the guard's end, values and shape variables are those of a body that stands in place of
  // a call. Each such place has its own: a function may come to stand inside itself.
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
  // What the operand is; nothing after a report.
  std::optional<Form> FormOf(const ir::Operand& operand, const Location& loc);
  // A new tensor for each in `info`, a declared variable for each scalar; nothing after a report.
  std::optional<Form> NewResult(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                                const Location& loc);
  // A tensor of the arena; where the data says its sizes, it is reserved here.
  ir::TensorId NewTensor(ir::Tensor tensor, const Location& loc);
  // Another name for all bytes of `whole`.
  ir::TensorId NewView(ir::TensorId whole, const ir::TensorInfo& info, absl::string_view name,
                       const Location& loc);

  // A variable that will be one of `values`, which are of one dtype: a size where all of them are.
  ir::PrimRef NewVarFor(absl::string_view name, const std::vector<ir::PrimRef>& values);
  // Whether `e` is known not to be negative.
  bool IsSize(ir::PrimRef e) const;
  // Ends the run where there can be no tensor of the shape: a dimension is negative, or there are
  // more elements than have numbers.
  void CheckSizes(const std::vector<ir::PrimRef>& shape, absl::string_view name,
                  const Location& loc);

  // What is known of a value here.
  ir::StructInfoRef InfoOf(const Form& form) const;
  // Whether the routine begins with all variables of `e`.
  bool IsEarly(ir::PrimRef e) const;
  // The variable is a size that no tensor has yet: however large a number it is.
  void HasNoTensor(ir::PrimRef size) { no_tensor_.insert(size); }

  // The value of a scalar in the routine's own sizes, as far as they say.
  ir::PrimRef Settle(ir::PrimRef e);
  // The variable, new in a match_cast, is `value` from here on.
  void Define(ir::PrimRef var, ir::PrimRef value) { scope_[var] = value; }
  const analysis::ShapeVarMap& scope() const { return scope_; }
  void SetScope(analysis::ShapeVarMap scope) { scope_ = std::move(scope); }

  // Whether the tensor `from` can be made where `to` is in the first place: it is, then.
  bool MakeIn(ir::TensorId from, ir::TensorId to);
  // Makes a tensor whose sizes the data says where values are kept, if that can be: it is not
  // copied there, then.
  void MakeKept(ir::TensorId from);
  // Puts what is in `from` where `to` is: where possible by making it there in the first place.
  // False after a report, when the two are of different structure.
  bool Deliver(const Form& from, const Form& to, const Location& loc);

  // Whether tensors may share bytes that Relax copies: nothing in the function writes in place.
  bool may_view() const { return may_view_; }
  // Whether nothing in the function writes into the value, or into what it shares bytes with.
  bool IsUnwritten(const ir::Operand& operand) const;
  const WrittenValues& written() const { return written_; }
  // Of the function, or of one whose body stands in the place of a call.
  void AddWritten(const WrittenValues& written) { written_.Add(written); }
  // The tensor's one element is `value`, which the last step has stored there; nothing else reads
  // it where it is used `once`.
  void NoteScalar(ir::TensorId tensor, ir::PrimRef value, bool once) {
    scalar_of_[tensor] = {value, once};
  }
  // That value, or the tensor. The step is not needed where this is the one use.
  ir::Part AsScalar(ir::TensorId tensor);
  // All steps, at the end.
  ir::Steps Take() { return std::move(root_); }

  Lowering& all;
  const ir::RoutineId routine;
  const ir::Function& function;  // that it is made of
  int rank_bodies = 0;           // that stand there for one choice of ranks (for_each_rank.h)
  int rank_depth = 0;            // choices around the place where the next step goes
  // Where ranks were chosen that what comes cannot be with, the run ends here, for `what`. False
  // where none were, or where only a part of what comes stands: the rest would do without it.
  bool EndChosen(const std::string& what, const Location& loc);
  void EndRun(const std::string& what, const Location& loc);

 private:
  bool IsLate(ir::TensorId id) const;
  void BeginWithSizes(const ir::Routine& r);
  // That `cond` holds, as far as it bounds a variable.
  void Assume(ir::PrimRef cond);
  // Whether it may be so large that a tensor of it is larger than all memory.
  bool IsAnySize(ir::PrimRef dim) const;
  // Ends the run where the arithmetic of `dim`, which is of `name`, overflows or divides by zero.
  LimitedSize Limited(ir::PrimRef dim, SignedSums sums, absl::string_view name,
                      const Location& loc);
  // Whether its bytes can be somewhere else in the first place: they are made here, as a whole.
  bool CanMove(ir::TensorId from) const;
  bool IsOutput(ir::TensorId id) const { return all.program.tensors[id].home == ir::Home::kOutput; }
  bool DeliverParts(const Form& from, const Form& to, const Location& loc);
  bool DeliverTensor(ir::TensorId from, ir::TensorId to, const Location& loc);

  ir::Steps root_;
  ir::Steps* steps_ = &root_;
  int depth_ = 0;
  int chosen_depth_ = -1;  // where all that comes stands once for each rank
  bool may_view_;
  WrittenValues written_;
  absl::node_hash_map<ir::ValueId, Form> forms_;  // too large to be moved about
  analysis::ShapeVarMap scope_;
  absl::flat_hash_set<ir::PrimRef> early_;  // what the routine begins with
  absl::flat_hash_set<ir::PrimRef> no_tensor_;
  analysis::Assumptions known_sizes_;
  std::vector<ir::PrimRef> checked_;  // what holds where the next step goes, the newest last
  absl::flat_hash_set<ir::PrimRef> is_checked_;
  struct KnownScalar {
    ir::PrimRef value = nullptr;
    bool once = false;
  };
  absl::flat_hash_map<ir::TensorId, KnownScalar> scalar_of_;
  absl::flat_hash_map<ir::TensorId, int> depth_of_;  // of tensors made here: how deep in branches
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_ROUTINE_BUILDER_H_
