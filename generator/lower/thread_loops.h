// A processor has one thread: what launches of many compute, it computes in loops over them.
#ifndef LATHE_LOWER_THREAD_LOOPS_H_
#define LATHE_LOWER_THREAD_LOOPS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Launches and loops bound to threads become plain loops, one inside another over the same threads
// the index that the outer one has. Kernels whose threads meet, at a barrier or in a sum, stay as
// they are.
void ThreadLoops(ir::Context& context, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_THREAD_LOOPS_H_
