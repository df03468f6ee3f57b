#include "generator/emit/cuda/print_device_call.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_c_element.h"
#include "generator/lower/cuda/buffer_uses.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

struct CallRow {
  absl::string_view name;  // as programs spell it
  absl::string_view cuda;
  size_t args;  // that CUDA's takes: the first ones
};
// TVM's have the size of a warp behind what CUDA's take.
constexpr CallRow kCalls[] = {
    {"tvm_warp_shuffle", "__shfl_sync", 4},
    {"tvm_warp_shuffle_up", "__shfl_up_sync", 4},
    {"tvm_warp_shuffle_down", "__shfl_down_sync", 4},
    {"tvm_warp_shuffle_xor", "__shfl_xor_sync", 4},
    {"tvm_warp_activemask", "__activemask", 0},
};

// Those that shuffle take values of 32 and 64 bits as they are.
bool Travels(ir::DType dtype) {
  return (dtype.is_integer() || dtype.is_floating()) && dtype.bits >= 32 &&
         CType(dtype) == CScalarType(dtype);
}

absl::StatusOr<std::string> Atomic(CScope& scope, const ir::Intrinsic& call) {
  const ir::Load* place = lower::ChangedAtomically(call);
  const ir::DType dtype = call.args[1]->dtype();
  const bool known = dtype == ir::DType::Int(32) || dtype == ir::DType::UInt(32) ||
                     dtype == ir::DType::Float(32) || dtype == ir::DType::Float(64);
  if (place == nullptr || !known || place->buffer->dtype != dtype) {
    return absl::UnimplementedError(
        "T.atomic_add of something else than an element of int32, uint32, float32 or float64 "
        "cannot be printed as CUDA yet");
  }
  LATHE_ASSIGN_OR_RETURN(const std::string at, PrintCAddress(scope, place->buffer, place->indices));
  LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope, call.args[1]));
  return absl::StrCat("atomicAdd(", at, ", ", value, ")");
}

}  // namespace

absl::StatusOr<std::optional<CText>> PrintDeviceCall(CScope& scope, const ir::Intrinsic& call) {
  if (call.name == "tvm_storage_sync" && !call.args.empty()) {
    const auto* of = call.args[0]->As<ir::StringImm>();
    return CText{of != nullptr && of->value == "warp" ? "__syncwarp()" : "__syncthreads()"};
  }
  if (call.name == "atomic_add" && call.args.size() == 2) {
    LATHE_ASSIGN_OR_RETURN(std::string text, Atomic(scope, call));
    return CText{std::move(text)};
  }
  for (const CallRow& row : kCalls) {
    if (call.name != row.name || call.args.size() < row.args) continue;
    if (row.args > 1 && !Travels(call.args[1]->dtype())) {
      return absl::UnimplementedError(absl::StrCat("T.", call.name, " of ",
                                                   ToString(call.args[1]->dtype()),
                                                   "; shuffles move numbers of 32 and 64 bits"));
    }
    std::vector<std::string> args;
    for (size_t i = 0; i < row.args; ++i) {
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintCExpr(scope, call.args[i]));
    }
    return CText{absl::StrCat(row.cuda, "(", absl::StrJoin(args, ", "), ")")};
  }
  return std::nullopt;
}

}  // namespace lathe::emit
