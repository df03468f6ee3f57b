// Calls of functions happen once, in the order of the program, whatever expression they stand in.
#ifndef LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_
#define LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// A[i] = max(Module.f(x), B[i]) becomes a variable that the call's value is given to, and a store
// of what is made of it: C may evaluate operands in any order, leaves some out, and is printed with
// others said twice. What memory held before a call is kept in variables too. Calls that happen
// only sometimes, in T.if_then_else and in the conditions of loops, stay where they are, and the
// printer of C refuses them there.
void LiftCalls(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_LIFT_CALLS_H_
