// A call of an operator with what its arguments have become: sizes as the routine knows them, which
// is more than the graph says where a callee, a branch or the data decide.
#ifndef LATHE_LOWER_ACTUAL_CALL_H_
#define LATHE_LOWER_ACTUAL_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/analysis/derive/infer_again.h"
#include "generator/ir/op.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

class ActualCall {
 public:
  // Nothing where an argument was reported.
  static std::optional<ActualCall> Of(RoutineBuilder& b, const ir::Call& call, const Location& loc);

  const ir::Call& call() const { return call_; }
  // The tensors among the arguments, tuples taken apart: the inputs of its loop nest.
  const std::vector<ir::TensorId>& tensors() const { return tensors_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const;

  // What the operator's inference says of it, and what it takes for granted of sizes; or why it
  // refuses.
  absl::StatusOr<analysis::Inferred> Infer();
  // The loop nest that gives `result`, the variables of the routine in its sizes.
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
