// What all kernels go through when it is settled which there are, in the order that it must have.
#ifndef LATHE_SCHEDULE_FINISH_FINISH_KERNELS_H_
#define LATHE_SCHEDULE_FINISH_FINISH_KERNELS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

void FinishKernels(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_FINISH_KERNELS_H_
