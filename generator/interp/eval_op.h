// Calls of operators: those that mean something of their own, by name, and those with a loop nest.
#ifndef LATHE_INTERP_EVAL_OP_H_
#define LATHE_INTERP_EVAL_OP_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"
#include "generator/ir/op.h"

namespace lathe::interp {

struct OpCall {
  Runtime& rt;
  const Scope& scope;
  const ir::Call& call;
  const ir::Op& op;
  const std::vector<Value>& args;
  const Location& loc;
  ir::StructInfoRef result_info;  // derived for the binding; null when nothing was

  // An error in the arguments; the message goes on after "R.print: ".
  DiagnosticBuilder Error(absl::string_view code = "run-wrong-arguments") const;
};

absl::StatusOr<Value> EvalOp(const OpCall& call);

// An operator that only calls another function: R.invoke_closure, R.call_pure_packed.
struct CalledByOp {
  Value callee;
  std::vector<Value> args;
};
std::optional<CalledByOp> CallOfOp(const ir::Op& op, const std::vector<Value>& args);

// A call of what is not a closure: a packed function or a PrimFunc.
absl::StatusOr<Value> CallForeign(Runtime& rt, const Value& callee, const std::vector<Value>& args,
                                  const ir::AttrMap& attrs, const Location& loc);

// A bool scalar, as a scalar value or a tensor without dimensions; nothing when it is none.
std::optional<bool> AsCondition(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_OP_H_
