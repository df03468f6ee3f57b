// The kernels that the host computes, where it is a device of a program among GPUs.
#ifndef LATHE_SCHEDULE_CUDA_HOST_KERNELS_H_
#define LATHE_SCHEDULE_CUDA_HOST_KERNELS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Marks them. One that GPUs compute too becomes two; what its loops bind to threads are plain loops
// in that of the host, and in functions that no kernel of a GPU calls. Where tensors lie is known.
void HostKernels(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_HOST_KERNELS_H_
