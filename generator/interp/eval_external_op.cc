#include "generator/interp/eval_external_op.h"

#include <optional>
#include <utility>
#include <vector>

#include "generator/interp/eval_call_tir.h"
#include "generator/interp/eval_compute.h"
#include "generator/interp/eval_operand.h"
#include "generator/ops/external_call.h"
#include "generator/support/status.h"

namespace lathe::interp {

absl::StatusOr<Value> EvalExternalOp(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(ir::StructInfoRef result, InferResult(call));
  const std::optional<ir::Call> external = ops::ExternalCall(call.rt.ir, call.call, result);
  if (!external) {
    return call.rt.diags->Unsupported(call.loc, "run-unsupported-operator")
           << "the external function '" << ops::ExternalFunction(call.op)
           << "' has an unsupported attribute; supported: numbers, booleans and strings";
  }
  std::vector<Value> args;
  for (const ir::Operand& arg : external->args) {
    LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(call.rt, arg, call.scope, call.loc));
    args.push_back(std::move(value));
  }
  return EvalCallDpsPacked(
      {call.rt, call.scope, *external, *external->op(), args, call.loc, call.result_info});
}

}  // namespace lathe::interp
