// Removes the kernels that no step calls.
#ifndef LATHE_SCHEDULE_FUSE_KEEP_USED_KERNELS_H_
#define LATHE_SCHEDULE_FUSE_KEEP_USED_KERNELS_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// Numbers the remaining kernels in the order of the first step that calls each.
void KeepUsedKernels(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_KEEP_USED_KERNELS_H_
