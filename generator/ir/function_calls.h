// Recognizes calls of functions in scalar expressions, which may read and write memory.
#ifndef LATHE_IR_FUNCTION_CALLS_H_
#define LATHE_IR_FUNCTION_CALLS_H_

#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Returns true for T.call_extern, T.call_pure_extern, T.call_packed, T.call_cpacked, and
// "call_global".
inline bool IsCall(absl::string_view name) {
  return name == "call_global" || name == "call_extern" || name == "call_pure_extern" ||
         name == "call_packed" || name == "call_cpacked";
}

// Returns true for calls that may have side effects, so not for call_pure_extern.
inline bool IsFunctionCall(absl::string_view name) {
  return IsCall(name) && name != "call_pure_extern";
}

// Returns whether `e` contains a call that may have side effects.
inline bool CallsFunctions(PrimRef e) {
  const auto* call = e->As<Intrinsic>();
  bool calls = call != nullptr && IsFunctionCall(call->name);
  ForEachOperand(e, [&](PrimRef operand) { calls = calls || CallsFunctions(operand); });
  return calls;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_FUNCTION_CALLS_H_
