// Creates the host versions of kernels, in a program with GPUs and the host as devices.
#ifndef LATHE_SCHEDULE_CUDA_SPLIT_HOST_KERNELS_H_
#define LATHE_SCHEDULE_CUDA_SPLIT_HOST_KERNELS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Marks kernels of the host. A kernel that GPUs run too is duplicated. In the host version, and in
// functions that no GPU kernel calls, thread loops become plain loops. Requires the devices of
// tensors (place_tensors).
void SplitHostKernels(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SPLIT_HOST_KERNELS_H_
