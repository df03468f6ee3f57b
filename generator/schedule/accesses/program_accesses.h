// Visits every kernel call of a program with the facts known at the call.
#ifndef LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {

// Calls `visit` for each kernel call with the completed walk of its accesses. The body of a kernel
// without size parameters is walked at its first call only. The body of a PrimFunc with thread
// bindings is not walked.
void ForEachKernelCall(ir::Context& context, const ir::Program& program,
                       const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                       absl::FunctionRef<void(ir::KernelId, const AccessWalk&)> visit);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_PROGRAM_ACCESSES_H_
