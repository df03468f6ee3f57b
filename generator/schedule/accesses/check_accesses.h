// The net under all that makes kernels: that each of their accesses lies within its buffer is
// proved anew, of the program as it is about to be planned, on every compile.
//
// Of each call of a kernel, with the sizes that it is given:
// - each place that its loops, and the form or the launches that stand for them, read or write
//   lies within the sizes of its buffer, or the kernel has asserted so before;
// - each tensor has as many elements as the buffer that stands for it.
//
// Not proved, and left to who wrote them: what functions from outside do with pointers they are
// given, and accesses of PrimFuncs that bind loops to threads of a GPU themselves, where they
// follow from what the program says nothing of.
#ifndef LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// What is not proved, in words: nothing in programs that are right.
std::vector<std::string> UnprovedAccesses(
    ir::Context& context, const ir::Program& program,
    const IdVector<ir::KernelId, ir::GridLaunches>& launches = {});

// Ends the process with a report where there is such in a kernel that asserts no index: a bug of
// ours, which would read or write memory that is none of the kernel's. Of a kernel that asserts
// some, every other access is taken for covered, too.
void CheckAccesses(ir::Context& context, const ir::Program& program,
                   const IdVector<ir::KernelId, ir::GridLaunches>& launches = {});

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_CHECK_ACCESSES_H_
