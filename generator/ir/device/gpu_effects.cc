#include "generator/ir/device/gpu_effects.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/device/async_copy_call.h"
#include "generator/ir/device/matrix_call.h"
#include "generator/ir/device/matrix_moves_call.h"
#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

bool IsAllreduce(const Intrinsic& call) { return call.name == "tvm_thread_allreduce"; }

void Add(const Fragment& fragment, std::vector<PrimRef>& pointers) {
  for (const MemoryAddress& place : fragment.registers) pointers.push_back(place.pointer);
}

}  // namespace

bool NeedsThreads(const Intrinsic& call) {
  return IsAllreduce(call) || call.name == "tvm_storage_sync" ||
         absl::StartsWith(call.name, "tvm_warp_") || absl::StartsWith(call.name, "ptx_") ||
         absl::StartsWith(call.name, "mma_") || call.name == "create_barriers" ||
         IsDeviceIntrinsic(call.name);
}

SyncScope SyncScopeOf(const Intrinsic& call) {
  if (IsAllreduce(call)) return SyncScope::kBlock;
  if (call.name == "tvm_storage_sync") {
    const auto* scope = call.args.empty() ? nullptr : call.args[0]->As<StringImm>();
    return scope != nullptr && scope->value == "warp" ? SyncScope::kWarp : SyncScope::kBlock;
  }
  if (const auto known = GpuCallOf(call)) return InfoOf(known->op).sync;
  if (MmaCallOf(call) || LoadMatricesOf(call, DType::Void()) || StoreMatricesOf(call)) {
    return SyncScope::kWarp;
  }
  return StoreFragmentOf(call, DType::Void()) ? SyncScope::kPosition : SyncScope::kNone;
}

bool IsBarrier(const Intrinsic& call) {
  const auto known = GpuCallOf(call);
  const bool is = known ? known->op == GpuOp::kBarrier : call.name == "tvm_storage_sync";
  return is && SyncScopeOf(call) == SyncScope::kBlock;
}

bool IsOrderedLoad(const Intrinsic& call) {
  const auto known = GpuCallOf(call);
  return known && (known->op == GpuOp::kLoadAcquire || known->op == GpuOp::kLoadRelaxed ||
                   known->op == GpuOp::kLoadVolatile || known->op == GpuOp::kMbarrierTest);
}

bool IsCudaIntrinsic(const Intrinsic& call) {
  return NeedsThreads(call) &&
         (!IsDeviceIntrinsic(call.name) || absl::StartsWith(call.name, "cuda.") ||
          absl::StartsWith(call.name, "ptx"));
}

bool IsSupportedOnGpus(const Intrinsic& call, DType dtype) {
  return IsAllreduce(call) || call.name == "tvm_storage_sync" || GpuCallOf(call) ||
         MmaCallOf(call) || LoadMatricesOf(call, dtype) || StoreMatricesOf(call) ||
         AsyncCopyOf(call, dtype) || CommitsCopies(call) || CopiesLeft(call) ||
         FillFragmentOf(call, dtype) || StoreFragmentOf(call, dtype);
}

std::vector<PrimRef> WrittenPointers(const Intrinsic& call, DType dtype) {
  std::vector<PrimRef> pointers;
  if (IsAllreduce(call)) {
    // (n, n values, condition, n results, threads...)
    const auto* count = call.args.empty() ? nullptr : call.args[0]->As<IntImm>();
    const size_t values = count == nullptr ? 0 : static_cast<size_t>(count->value);
    for (size_t i = 2 + values; i < std::min(2 + 2 * values, call.args.size()); ++i) {
      pointers.push_back(call.args[i]);
    }
  } else if (const auto known = GpuCallOf(call)) {
    const std::vector<GpuParam> params = ParamsOf(known->op);
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i].kind == GpuParam::Kind::kChanged) pointers.push_back(known->args[i]);
    }
  } else if (const auto copy = AsyncCopyOf(call, dtype)) {
    pointers.push_back(copy->to.pointer);
  } else if (const auto mma = MmaCallOf(call)) {
    Add(mma->d, pointers);
  } else if (const auto load = LoadMatricesOf(call, dtype)) {
    Add(load->to, pointers);
  } else if (const auto rows = StoreMatricesOf(call)) {
    pointers.push_back(rows->row.pointer);
  } else if (const auto fill = FillFragmentOf(call, dtype)) {
    pointers.push_back(fill->at.pointer);
  } else if (const auto store = StoreFragmentOf(call, dtype)) {
    pointers.push_back(store->to.pointer);
  }
  return pointers;
}

constexpr int kAmpere = 80, kHopper = 90;

int MinGpuVersion(const Intrinsic& call) {
  if (const auto mma = MmaCallOf(call)) return mma->form->since;
  if (StoreMatricesOf(call)) return kHopper;
  const auto known = GpuCallOf(call);
  if (!known) return kAmpere;
  const bool counts = known->op == GpuOp::kMbarrierArrive && known->args[1] != nullptr;
  return counts ? kHopper : MinGpuVersion(known->op);
}

int MinGpuVersion(GpuOp op) {
  switch (op) {
    case GpuOp::kMbarrierExpect:
    case GpuOp::kBulkCopy:
    case GpuOp::kBulkStore:
    case GpuOp::kBulkCommit:
    case GpuOp::kBulkWait:
    case GpuOp::kBulkWaitToRead:
    case GpuOp::kProxyFence:
      return kHopper;
    default:
      return kAmpere;
  }
}

}  // namespace lathe::ir
