// Which kernels leave much to one thread of a GPU: said to those who wait for it.
#ifndef LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_
#define LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_

#include <vector>

#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/support/ids.h"

namespace lathe::schedule {

// Those with a launch of one thread whose loops have many rounds, or as many as the run says.
std::vector<ir::KernelId> SerialKernels(const IdVector<ir::KernelId, ir::GridLaunches>& launches);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SERIAL_KERNELS_H_
