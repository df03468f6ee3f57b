// Moves function calls out of expressions, so that each call happens exactly once, in program
// order.
#ifndef LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_
#define LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Moves the calls in all kernels and functions of `program`. A[i] = max(Module.f(x), B[i]) becomes
// a variable with the value of the call, then a store that uses it. C may evaluate operands in any
// order or skip some, and some printed operators repeat their operands. Loads before a call are
// moved to variables too. A call of an external function that is the whole stored value stays in
// its store. Calls that are evaluated conditionally, in T.if_then_else and in loop conditions, are
// unchanged; the C printer refuses them.
void LiftCalls(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_
