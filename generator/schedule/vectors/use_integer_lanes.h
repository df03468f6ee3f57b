// Computes the turns of elementwise loops as integer lanes in kernels that have no form, such as
// those of joined layers.
#ifndef LATHE_SCHEDULE_VECTORS_USE_INTEGER_LANES_H_
#define LATHE_SCHEDULE_VECTORS_USE_INTEGER_LANES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Annotates the innermost loops that MatchIntegerLanes() matches, for targets with integer lanes.
// Loops of users stay as they are: their buffers may overlap.
void UseIntegerLanes(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_USE_INTEGER_LANES_H_
