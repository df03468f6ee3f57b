// Run-time checks of what is not proved: of what users wrote as loops, of places that data says,
// and of operators where only the run knows the sizes.
#ifndef LATHE_LOWER_ACCESSES_ASSERT_ACCESSES_H_
#define LATHE_LOWER_ACCESSES_ASSERT_ACCESSES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Before each statement that may read or write outside of a buffer stands an assertion that it does
// not. Kernels of operators whose sizes are numbers get none but for places that data says: what
// else is not proved of them is a bug of ours, which check_accesses reports.
void AssertAccesses(ir::Context& context, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_ACCESSES_ASSERT_ACCESSES_H_
