// Answers queries about GPU intrinsics: which threads must reach a call, which memory it writes,
// which GPU it requires.
#ifndef LATHE_IR_DEVICE_GPU_EFFECTS_H_
#define LATHE_IR_DEVICE_GPU_EFFECTS_H_

#include <string>
#include <vector>

#include "generator/ir/device/gpu_call.h"

namespace lathe::ir {

// Returns whether the intrinsic, supported or not, needs GPU threads.
bool NeedsThreads(const Intrinsic& call);

// The group of threads that must reach the call together.
SyncScope SyncScopeOf(const Intrinsic& call);

// Returns whether the call is exactly a block barrier.
bool IsBarrier(const Intrinsic& call);

// Returns whether the name is one of CUDA's or PTX's.
bool IsCudaIntrinsic(const Intrinsic& call);

// Returns whether the call is a load that observes stores of other threads: it is kept even if its
// value is unused.
bool IsOrderedLoad(const Intrinsic& call);

// Returns whether the call is supported.
bool IsSupportedOnGpus(const Intrinsic& call, DType dtype);

// Returns the pointers that a supported call writes through; `dtype` is its declared result type.
std::vector<PrimRef> WrittenPointers(const Intrinsic& call, DType dtype);

// Returns the lowest compute capability that supports the call: 80, 89, 90.
int MinGpuVersion(const Intrinsic& call);
// Returns the lowest one of all forms of `op`: forms with more arguments may need a higher one.
int MinGpuVersion(GpuOp op);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_EFFECTS_H_
