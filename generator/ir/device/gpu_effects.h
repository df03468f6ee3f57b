// What is asked of any intrinsic that GPUs alone have: who has to come to it, and what it writes.
#ifndef LATHE_IR_DEVICE_GPU_EFFECTS_H_
#define LATHE_IR_DEVICE_GPU_EFFECTS_H_

#include <string>
#include <vector>

#include "generator/ir/device/gpu_call.h"

namespace lathe::ir {

// Only the threads of a GPU can do it; whatever else it is, and whether anything here knows it.
bool NeedsThreads(const Intrinsic& call);

// Who has to come to a call before any goes on.
GpuMeeting MeetingOf(const Intrinsic& call);

// Nothing but a barrier of the block.
bool IsBarrier(const Intrinsic& call);

// One of CUDA's, or of PTX's, by its name.
bool IsOfCuda(const Intrinsic& call);

// A load by which threads learn what others have done: it counts whether anyone asks for its value.
bool LooksForOthers(const Intrinsic& call);

// Whether it is among those that are supported.
bool IsKnownOnGpus(const Intrinsic& call, DType dtype);

// The pointers that a call of them writes through; `dtype` is what it says that it gives.
std::vector<PrimRef> WrittenThrough(const Intrinsic& call, DType dtype);

// The first GPU that has it: 80, 89, 90.
int SinceWhichGpu(const Intrinsic& call);
int SinceWhichGpu(GpuOp op);  // with as few arguments as it may have

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_EFFECTS_H_
