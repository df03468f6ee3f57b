// Dispatches operator calls by name to the evaluation functions of operators. An operator without
// one is evaluated by its loop nest, or by the external function that it stands for.
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
  ir::StructInfoRef result_info;  // derived for the binding; null: none

  // Reports an error in the arguments. The message continues after "R.print: ".
  DiagnosticBuilder Error(absl::string_view code = "run-wrong-arguments") const;
};

// Returns the result of `call`. Fails, with a diagnostic, when the operator cannot be evaluated.
absl::StatusOr<Value> EvalOp(const OpCall& call);

// The call that an operator such as R.invoke_closure or R.call_pure_packed forwards to.
struct CalledByOp {
  Value callee;
  std::vector<Value> args;
};
// Returns nullopt for operators that forward to no function, and for arguments of the wrong kind.
std::optional<CalledByOp> CallOfOp(const ir::Op& op, const std::vector<Value>& args);

// Calls a packed function or a PrimFunc.
absl::StatusOr<Value> CallForeign(Runtime& rt, const Value& callee, const std::vector<Value>& args,
                                  const ir::AttrMap& attrs, const Location& loc);

// Returns the value of a bool scalar or of a bool tensor of rank 0; nullopt for any other value.
std::optional<bool> AsCondition(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_OP_H_
