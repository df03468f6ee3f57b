// What programs ask of GPUs beyond what C has: what threads tell each other, atomics, special
// registers, CUDA's own functions. Several names may mean the same: dialects differ.
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
#define GPU_OP(what, params, meets, cuda) what,
#define GPU_NAME(name, what)
#include "generator/ir/gpu_call_list.def"
#undef GPU_OP
#undef GPU_NAME
};

// Who has to come to a call before any thread goes on. kPlace: nobody, but what it gives hangs on
// where among the others a thread stands.
enum class GpuMeeting : uint8_t { kNobody, kPlace, kWarp, kBlock };

struct GpuParam {
  enum class Kind : uint8_t { kScalar, kChanged, kRead, kText };
  absl::string_view name;
  Kind kind = Kind::kScalar;
  bool in_cuda = true;          // CUDA's function takes it
  std::optional<int> left_out;  // what it is where a call leaves it out
};

struct GpuOpInfo {
  GpuOp what;
  absl::string_view params;
  GpuMeeting meets;
  absl::string_view cuda;  // CUDA's function, or lathe's; empty: its printer knows
};
const GpuOpInfo& InfoOf(GpuOp op);
std::vector<GpuParam> ParamsOf(GpuOp op);

struct GpuCall {
  GpuOp op;
  std::vector<PrimRef> args;  // in the order of its parameters; null: left out
};
// Nothing where it is another intrinsic, or one whose arguments do not fit.
std::optional<GpuCall> GpuCallOf(const Intrinsic& call);

// All names, as programs write them, "T.cuda.ballot_sync", and what they mean.
std::vector<std::pair<std::string, GpuOp>> GpuCallNames();

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_CALL_H_
