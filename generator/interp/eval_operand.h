// Evaluates leaf expressions: evaluation rules 1 to 6, 8 and 11.
#ifndef LATHE_INTERP_EVAL_OPERAND_H_
#define LATHE_INTERP_EVAL_OPERAND_H_

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalOperand(Runtime& rt, const ir::Operand& operand, const Scope& scope,
                                  const Location& loc);

// Returns the value of a function of the module: a closure without captures, a PrimFunc or a packed
// function.
absl::StatusOr<Value> EvalGlobal(Runtime& rt, ir::GlobalId id, const Location& loc);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_OPERAND_H_
