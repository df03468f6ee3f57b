// Chooses the device of each tensor in a module with several devices.
//
//   y = R.add(x, x)                 x on cuda:0, and so y, and the kernel that makes it
//   z = R.to_vdevice(y, "llvm")     z on the host; the step is a copy between devices
#ifndef LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_
#define LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::schedule {

// Sets Tensor::device and Program::devices: the devices that hold tensors, in module order. All
// memories of one GPU are one device, and so are all processors. With at most one device, the
// program is unchanged. A tensor that is only copied is placed on the device of the other end of a
// copy, or else on the first device. Reports conflicts, and devices that are neither GPUs for CUDA
// nor the host.
void PlaceTensors(const ir::Module& module, ir::Program& program, Diagnostics& diags);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_
