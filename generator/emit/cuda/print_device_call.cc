#include "generator/emit/cuda/print_device_call.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_pointer.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_matrix_call.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/gpu_instructions.h"
#include "generator/ir/device/memory_address.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::DType;
using ir::GpuOp;
using ir::GpuParam;
using ir::PrimRef;

// Returns whether shuffles and reductions support `dtype`: numbers of 32 and 64 bits.
bool Travels(DType dtype) {
  return (dtype.is_integer() || dtype.is_floating()) && dtype.bits >= 32 &&
         CType(dtype) == CScalarType(dtype);
}

bool Adds(DType dtype) {
  return dtype == DType::Int(32) || dtype == DType::UInt(32) || dtype == DType::Float(32) ||
         dtype == DType::Float(64);
}

// An operation that is overloaded for several dtypes.
struct TypesRow {
  GpuOp op;
  size_t value;  // number of the argument that has the dtype
  bool (*takes)(DType);
  absl::string_view what;
};
constexpr TypesRow kTypes[] = {
    {GpuOp::kShuffle, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kShuffleUp, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kShuffleDown, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kShuffleXor, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kWarpSum, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kWarpMax, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kWarpMin, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kBlockSum, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kBlockMax, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kBlockMin, 0, Travels, "values of 32 and 64 bits"},
    {GpuOp::kAtomicAdd, 1, Adds, "int32, uint32, float32 and float64"},
    {GpuOp::kStoreRelease, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kStoreRelaxed, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kStoreVolatile, 1, Travels, "values of 32 and 64 bits"},
    {GpuOp::kAtomicCas, 1, [](DType t) { return t == DType::Int(32) || t == DType::UInt(32); },
     "int32 and uint32"},
};

// A special register: a thread index, an extent of the block, or the lane.
struct RegisterRow {
  absl::string_view name;  // in PTX
  absl::string_view cuda;
};
constexpr RegisterRow kRegisters[] = {
    {"tid.x", "threadIdx.x"},   {"tid.y", "threadIdx.y"}, {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"},   {"ntid.y", "blockDim.y"}, {"ntid.z", "blockDim.z"},
    {"laneid", "lathe_lane()"},
};

class GpuCallPrinter {
 public:
  GpuCallPrinter(CScope& scope, const ir::GpuCall& call, DType result)
      : scope_(scope), call_(call), params_(ir::ParamsOf(call.op)), result_(result) {}

  absl::StatusOr<CText> Print() {
    LATHE_RETURN_IF_ERROR(CheckTypes());
    if (call_.op == GpuOp::kSpecialRegister) return Register();
    if (call_.op == GpuOp::kToFloat) {
      return PrintCValue(scope_, scope_.ir.MakeCast(DType::Float(32), call_.args[0]));
    }
    if (call_.op == GpuOp::kBulkWait || call_.op == GpuOp::kBulkWaitToRead) return WaitForStores();
    std::string cuda(ir::InfoOf(call_.op).cuda);
    if (absl::StartsWith(cuda, "lathe_")) {
      const bool barriers = call_.op >= GpuOp::kMbarrierBegin && call_.op <= GpuOp::kProxyFence;
      const bool orders = call_.op >= GpuOp::kLoadAcquire && call_.op <= GpuOp::kStoreVolatile;
      scope_.needs.headers.insert(barriers ? "\"lathe/mbarriers.h\""
                                  : orders ? "\"lathe/ordered.h\""
                                           : "\"lathe/warps.h\"");
    }
    LATHE_ASSIGN_OR_RETURN(const std::string order, Scope());
    absl::StrAppend(&cuda, order);
    std::vector<std::string> args;
    for (size_t i = 0; i < params_.size(); ++i) {
      if (!params_[i].in_cuda || call_.args[i] == nullptr) continue;
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), Argument(params_[i], call_.args[i]));
    }
    return CText{absl::StrCat(cuda, "(", absl::StrJoin(args, ", "), ")")};
  }

 private:
  absl::Status CheckTypes() const {
    for (const TypesRow& row : kTypes) {
      if (row.op != call_.op) continue;
      const DType dtype = call_.args[row.value]->dtype();
      if (row.takes(dtype)) continue;
      return absl::UnimplementedError(absl::StrCat("'", ir::InfoOf(call_.op).cuda, "' of ",
                                                   ToString(dtype), "; supported: ", row.what));
    }
    if (Loads() && call_.op != GpuOp::kLoad && !Travels(result_)) {
      return absl::UnimplementedError(absl::StrCat("'", ir::InfoOf(call_.op).cuda, "' of ",
                                                   ToString(result_),
                                                   "; supported: values of 32 and 64 bits"));
    }
    for (size_t i = 0; i < params_.size(); ++i) {
      const bool changes = params_[i].kind == GpuParam::Kind::kChanged;
      if (!changes || ValueDType().is_void()) continue;
      const DType to = ir::PointeeOf(call_.args[i], ValueDType());
      if (to == ValueDType()) continue;
      return absl::UnimplementedError(absl::StrCat("'", ir::InfoOf(call_.op).cuda, "' of ",
                                                   ToString(ValueDType()), " with memory of ",
                                                   ToString(to)));
    }
    return absl::OkStatus();
  }

  // Returns the dtype of the operand by which the operation is overloaded; void: it is not.
  DType ValueDType() const {
    for (const TypesRow& row : kTypes) {
      if (row.op == call_.op) return call_.args[row.value]->dtype();
    }
    return DType::Void();
  }

  // Returns the suffix for the memory scope of an access, such as "_gpu"; empty: it has no scope.
  absl::StatusOr<std::string> Scope() const {
    for (size_t i = 0; i < params_.size(); ++i) {
      if (params_[i].name != "scope") continue;
      const auto* text = call_.args[i] == nullptr ? nullptr : call_.args[i]->As<ir::StringImm>();
      const std::string scope = text == nullptr ? "gpu" : text->value;
      if (scope == "cluster") return std::string("_cta");
      if (scope == "cta" || scope == "gpu" || scope == "sys") return absl::StrCat("_", scope);
      return absl::UnimplementedError(absl::StrCat(
          "the scope '", scope,
          "' of a memory access cannot be printed as CUDA yet; supported: cta, gpu, sys"));
    }
    return std::string();
  }

  // Returns whether the operation is a load with an explicit dtype.
  bool Loads() const {
    return call_.op == GpuOp::kLoad ||
           (call_.op >= GpuOp::kLoadAcquire && call_.op <= GpuOp::kLoadVolatile);
  }

  absl::StatusOr<std::string> Argument(const GpuParam& param, PrimRef arg) {
    if (param.kind == GpuParam::Kind::kScalar) return PrintCExpr(scope_, arg);
    if (const auto* load = arg->As<ir::Load>()) {
      return PrintCAddress(scope_, load->buffer, load->indices);
    }
    LATHE_ASSIGN_OR_RETURN(CPointer pointer, PrintCPointer(scope_, arg));
    if (Loads() && pointer.dtype != result_) {
      return CannotPrint(absl::StrCat("an element of ", ToString(result_), " in memory of ",
                                      ToString(pointer.dtype)));
    }
    return std::move(pointer.text);
  }

  // Prints a wait for bulk stores. The number of pending stores must be a constant.
  absl::StatusOr<CText> WaitForStores() {
    scope_.needs.headers.insert("\"lathe/mbarriers.h\"");
    const auto* left = call_.args[0] == nullptr ? nullptr : call_.args[0]->As<ir::IntImm>();
    if (call_.args[0] != nullptr && (left == nullptr || left->value < 0)) {
      return absl::UnimplementedError(absl::StrCat(
          "T.ptx_wait_group with ", ir::ToString(call_.args[0]), "; supported: a constant"));
    }
    return CText{absl::StrCat("lathe_wait_for_stores<", left == nullptr ? 0 : left->value, ", ",
                              call_.op == GpuOp::kBulkWaitToRead ? "true" : "false", ">()")};
  }

  absl::StatusOr<CText> Register() {
    const absl::string_view name = call_.args[1]->As<ir::StringImm>()->value;
    for (const RegisterRow& row : kRegisters) {
      if (row.name != name) continue;
      if (name == "laneid") scope_.needs.headers.insert("\"lathe/warps.h\"");
      return CText{absl::StrCat("(", CScalarType(result_), ")", row.cuda), kPrefix};
    }
    std::vector<std::string> known;
    for (const RegisterRow& row : kRegisters) known.emplace_back(row.name);
    return absl::UnimplementedError(
        absl::StrCat("the register '", name,
                     "' cannot be printed as CUDA yet; supported: ", absl::StrJoin(known, ", ")));
  }

  CScope& scope_;
  const ir::GpuCall& call_;
  const std::vector<GpuParam> params_;
  const DType result_;
};

}  // namespace

absl::StatusOr<std::optional<CText>> PrintDeviceCall(CScope& scope, PrimRef e,
                                                     const ir::Intrinsic& call) {
  if (call.name == "tvm_storage_sync") {
    const bool warp = ir::SyncScopeOf(call) == ir::SyncScope::kWarp;
    return CText{warp ? "__syncwarp()" : "__syncthreads()"};
  }
  if (const auto known = ir::GpuCallOf(call)) {
    LATHE_ASSIGN_OR_RETURN(CText text, GpuCallPrinter(scope, *known, e->dtype()).Print());
    return text;
  }
  LATHE_ASSIGN_OR_RETURN(std::optional<CText> text, PrintMatrixCall(scope, e, call));
  if (text || !ir::NeedsThreads(call)) return text;
  return absl::UnimplementedError(absl::StrCat("'", ir::ToString(e),
                                               "' cannot be printed as CUDA yet; ",
                                               ir::DescribeSupportedOnGpus(call.name)));
}

}  // namespace lathe::emit
