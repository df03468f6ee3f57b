// Finds kernels that run long loops in one GPU thread, for a warning to users.
#ifndef LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_
#define LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_

#include <vector>

#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/support/ids.h"

namespace lathe::schedule {

// Returns the kernels with a single-thread launch whose loops have many iterations or a dynamic
// number.
std::vector<ir::KernelId> SerialKernels(const IdVector<ir::KernelId, ir::GridLaunches>& launches);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_
