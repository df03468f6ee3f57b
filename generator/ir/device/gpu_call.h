// Recognizes GPU operations that C lacks: warp exchanges, barriers, atomics, special registers,
// CUDA functions. Dialects have several names for one operation.
#ifndef LATHE_IR_DEVICE_GPU_CALL_H_
#define LATHE_IR_DEVICE_GPU_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

enum class GpuOp : uint8_t {
#define GPU_OP(what, params, sync, cuda) what,
#define GPU_NAME(name, what)
#include "generator/ir/gpu_call_list.def"
#undef GPU_OP
#undef GPU_NAME
};

// The group of threads that must reach a call together. kPosition: none, but the result depends on
// the position of the thread.
enum class SyncScope : uint8_t { kNone, kPosition, kWarp, kBlock };

struct GpuParam {
  enum class Kind : uint8_t { kScalar, kChanged, kRead, kText };
  absl::string_view name;
  Kind kind = Kind::kScalar;
  bool in_cuda = true;          // passed to the CUDA function
  std::optional<int> left_out;  // value if the argument is omitted
};

struct GpuOpInfo {
  GpuOp what;
  absl::string_view params;
  SyncScope sync;
  absl::string_view cuda;  // name of the CUDA or lathe function; empty: printed specially
};
const GpuOpInfo& InfoOf(GpuOp op);
std::vector<GpuParam> ParamsOf(GpuOp op);

struct GpuCall {
  GpuOp op;
  std::vector<PrimRef> args;  // in the order of its parameters; null: omitted
};
// Returns nothing for other intrinsics and for arguments that do not fit.
std::optional<GpuCall> GpuCallOf(const Intrinsic& call);

// Returns all names, as written in programs ("T.cuda.ballot_sync"), with their operations.
std::vector<std::pair<std::string, GpuOp>> GpuCallNames();

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_CALL_H_
