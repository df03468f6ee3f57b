// Eliminates common subexpressions in the kernels of operators: a repeated expression becomes a
// variable, defined in the outermost loop in which it is invariant. Functions written by the user
// are unchanged.
#ifndef LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_
#define LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

void NameRepeated(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_
