// Every call of a kernel with what is known where it is made.
#ifndef LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {

// Whether a PrimFunc of the user has a part in the kernel.
bool IsOfUser(const ir::Kernel& kernel);

// Walks through what the kernel does in each call, and hands on what is not proved of it. Kernels
// without sizes are looked at once.
void ForEachKernelCall(ir::Context& context, const ir::Program& program,
                       const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                       absl::FunctionRef<void(ir::KernelId, const AccessWalk&)> visit);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_
