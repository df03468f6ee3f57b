// Inserts run-time assertions for kernel accesses that are not proved in bounds.
#ifndef LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Inserts an assertion before each statement with an unproved access, if it can be expressed. A
// kernel with an unproved access keeps its loops and loses its library form.
void AssertAccesses(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_ASSERT_ACCESSES_H_
