// Removes the variables of a state from the inputs and outputs of its functions.
#ifndef LATHE_SCHEDULE_FINISH_KEEP_STATE_H_
#define LATHE_SCHEDULE_FINISH_KEEP_STATE_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// Afterwards the inputs, outputs, parameters and the result of a routine with a state are those
// that its callers pass: a result (y, variable) is y. Its last steps copy the new values, which are
// in the arena or wherever the routine computes them, to the variables. A copy cannot fail, so a
// run that ends with an error leaves the state as it was.
void KeepState(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_KEEP_STATE_H_
