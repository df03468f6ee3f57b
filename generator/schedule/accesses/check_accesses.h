// Proves on every compile that each kernel access is in bounds, independently of the passes that
// created the kernels. It sees the program as it is before memory planning.
//
// For each call of a kernel, with its actual sizes:
// - each access of its loops, or of its library form or launches, is within the sizes of its
//   buffer, or an earlier assertion of the kernel covers it;
// - each tensor has at least as many elements as the buffer it is passed for.
//
// Not proved, and left to their authors: accesses of functions that kernels call, the sizes of
// views over pointers that a PrimFunc computes, and all accesses of PrimFuncs with thread bindings.
#ifndef LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Returns descriptions of the unproved accesses. It is empty for correct programs.
std::vector<std::string> UnprovedAccesses(
    ir::Context& context, const ir::Program& program,
    const IdVector<ir::KernelId, ir::GridLaunches>& launches = {});

// Ends the process with an internal error if a kernel has an access that is neither proved nor
// asserted: it could access memory outside of its buffers.
void CheckAccesses(ir::Context& context, const ir::Program& program,
                   const IdVector<ir::KernelId, ir::GridLaunches>& launches = {});

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_
