// Represents an operator call with its lowered arguments. Their sizes are in the routine's
// variables. They may be more precise than the graph's annotations, for example after a callee or a
// branch.
#ifndef LATHE_LOWER_ACTUAL_CALL_H_
#define LATHE_LOWER_ACTUAL_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/analysis/derive/reinfer_call.h"
#include "generator/ir/op.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

class ActualCall {
 public:
  // Returns nothing if an argument was reported.
  static std::optional<ActualCall> Of(RoutineBuilder& b, const ir::Call& call, const Location& loc);

  const ir::Call& call() const { return call_; }
  // Returns the tensors among the arguments, with tuples flattened: the inputs of the loop nest.
  const std::vector<ir::TensorId>& tensors() const { return tensors_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const;

  // Runs the operator's inference. Returns the result's info and the assumptions about sizes, or
  // the reason for refusal.
  absl::StatusOr<analysis::Inferred> Infer();
  // Returns the loop nest that computes `result`, with sizes in the variables of the routine.
  absl::StatusOr<ir::PrimFunc> Compute(ir::StructInfoRef result);

 private:
  ActualCall(RoutineBuilder& b, const Location& loc) : b_(b), loc_(loc) {}
  bool Add(const ir::Operand& operand, std::vector<ir::Operand>& to);

  RoutineBuilder& b_;
  Location loc_;
  ir::Call call_;
  std::vector<ir::TensorId> tensors_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_ACTUAL_CALL_H_
