// What devices do comes in an order only where one waits for another: where a copy goes from one to
// the other, and before something is written that is still being copied.
//
//   y = add(x, x)          on cuda:0
//   cuda:1 waits for cuda:0
//   z = y                  on cuda:1, which copies
//   ...                    cuda:0 goes on at once; y stays as it is
//   cuda:0 waits for cuda:1; y may be written
#ifndef LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_
#define LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Adds WaitSteps. What is copied away is kept, also from others that would take its place, until
// its device waits for the copy: where it does so anyway, before it is written, at the latest where
// the steps around the copy end. All kernels are there, and where tensors lie is known.
void OrderDevices(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ORDER_DEVICES_H_
