// Which device each tensor of a program lies on, where the module has several.
//
//   y = R.add(x, x)                 x on cuda:0, and so y, and the kernel that makes it
//   z = R.to_vdevice(y, "llvm")     z on the host; the step is a copy between devices
#ifndef LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_
#define LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::schedule {

// Sets Tensor::device and Program::devices: those on which something lies, in the order of the
// module, all memories of one GPU and all processors being one device each. Where that is one
// device, or none, the program stays as it is. What only copies meet may lie anywhere: it is put
// where the copies go, or on the first device. Reports what would have to lie on two, and devices
// that CUDA has not.
void PlaceTensors(const ir::Module& module, ir::Program& program, Diagnostics& diags);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PLACE_TENSORS_H_
