// Asserts at run time what is not proved of the accesses of kernels.
#ifndef LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Puts an assertion before each statement of which it is not proved that it stays within its
// buffers. A kernel that needs one keeps its loops, and gives up its form of the library.
void AssertAccesses(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_
