// Merges kernels that differ only in their names, so that flash holds their code once.
#ifndef LATHE_SCHEDULE_FINISH_SHARE_KERNELS_H_
#define LATHE_SCHEDULE_FINISH_SHARE_KERNELS_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// Weights are arguments, so that equal layers of a quantized network have one kernel. Nests share
// their kernels in fuse/kernel_of_nest already, and PrimFuncs of users keep their own.
void ShareKernels(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_SHARE_KERNELS_H_
