#include "generator/emit/outside_calls.h"

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "generator/ir/tir.h"

namespace lathe::emit {
namespace {

bool AnyCall(ir::PrimRef e, absl::FunctionRef<bool(const std::string&)> is) {
  const auto* call = e->As<ir::Intrinsic>();
  bool found = call != nullptr && is(call->name);
  ir::ForEachOperand(e, [&](ir::PrimRef operand) { found = found || AnyCall(operand, is); });
  return found;
}

bool IsOutside(const std::string& name) { return absl::StartsWith(name, "call_"); }

}  // namespace

bool DoesMore(ir::PrimRef e) {
  return AnyCall(e, [](const std::string& name) {
    return IsOutside(name) || name == "atomic_add" || absl::StartsWith(name, "tvm_");
  });
}

bool DoesNothing(ir::PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  return (call != nullptr && call->name == "assume") ||
         !AnyCall(e, [](const std::string&) { return true; });
}

}  // namespace lathe::emit
