// Separates the result type that some dialects write before the arguments of a call:
// T.ptx_legacy.mma("float32", ...).
#ifndef LATHE_IR_DEVICE_TYPED_ARGUMENTS_H_
#define LATHE_IR_DEVICE_TYPED_ARGUMENTS_H_

#include <optional>
#include <vector>

#include "generator/ir/prim_expr.h"

namespace lathe::ir {

struct TypedArguments {
  DType dtype;
  std::vector<PrimRef> args;
};

// Returns the leading type and the arguments after it; without one, `dtype` and all arguments.
inline TypedArguments SplitTypedArguments(const Intrinsic& call, DType dtype) {
  const auto* first = call.args.empty() ? nullptr : call.args[0]->As<StringImm>();
  const std::optional<DType> given = first == nullptr ? std::nullopt : ParseDType(first->value);
  if (!given) return {dtype, call.args};
  return {*given, {call.args.begin() + 1, call.args.end()}};
}

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_TYPED_ARGUMENTS_H_
