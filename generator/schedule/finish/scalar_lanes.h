// Plain C has no vectors: what a store writes to several elements at once, a loop writes to one
// after the other.
#ifndef LATHE_SCHEDULE_FINISH_SCALAR_LANES_H_
#define LATHE_SCHEDULE_FINISH_SCALAR_LANES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// A[T.ramp(i, 1, 4)] = B[T.ramp(j, 1, 4)] * T.broadcast(x, 4) becomes a loop over four lanes; two
// where the value reads what is written, since all lanes of it come first. A variable of several
// lanes becomes an array, a buffer of vectors one of their elements. What has vectors that are no
// function of such stays as it is.
void ScalarLanes(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_SCALAR_LANES_H_
