// Orders work between devices: a device waits for another one before a copy between them, and
// before it overwrites data that is still being copied.
//
//   y = add(x, x)          on cuda:0
//   cuda:1 waits for cuda:0
//   z = y                  on cuda:1, which copies
//   ...                    cuda:0 continues at once and keeps y
//   cuda:0 waits for cuda:1; y may be written
#ifndef LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_
#define LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Adds WaitSteps to `program`. The source of a copy is kept, also from reuse of its memory, until
// its device waits for the copy: at another wait, before a write, or at the latest at the end of
// the steps around the copy. Runs after all kernels are final and tensors have devices.
void OrderDevices(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_
