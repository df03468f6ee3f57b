#include "generator/emit/c/names/side_effects.h"

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/intrinsic.h"
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

bool HasSideEffects(ir::PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  bool more = call != nullptr &&
              (IsOutside(call->name) || absl::StartsWith(call->name, "tvm_") ||
               ir::SyncScopeOf(*call) > ir::SyncScope::kPosition || ir::IsOrderedLoad(*call) ||
               !ir::WrittenPointers(*call, e->dtype()).empty());
  ir::ForEachOperand(e, [&](ir::PrimRef operand) { more = more || HasSideEffects(operand); });
  return more;
}

bool HasNoEffect(ir::PrimRef e) {
  const auto* hint = e->As<ir::Intrinsic>();
  for (absl::string_view name :
       {"assume", "prefetch", "start_profile_intrinsic", "end_profile_intrinsic"}) {
    if (hint != nullptr && hint->name == name) return true;
  }
  return !AnyCall(e, [](const std::string& name) {
    const ir::IntrinsicInfo* info = ir::FindIntrinsic(name);
    const bool number = info != nullptr && info->result == ir::ResultType::kFirst;
    const bool place =
        name == "address_of" || name == "tvm_access_ptr" || name == "type_annotation";
    return !place && (!number || name == "ret");
  });
}

}  // namespace lathe::emit
