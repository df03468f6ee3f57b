// Expands vector statements to loops over their lanes, because plain C has no vectors.
#ifndef LATHE_SCHEDULE_FINISH_SCALARIZE_LANES_H_
#define LATHE_SCHEDULE_FINISH_SCALARIZE_LANES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// A[T.ramp(i, 1, 4)] = B[T.ramp(j, 1, 4)] * T.broadcast(x, 4) becomes a loop over four lanes. If
// the value reads the destination, it becomes two loops, because all lanes are read first. A vector
// variable becomes an array; a buffer of vectors becomes a buffer of their elements. Statements
// with other uses of vectors are unchanged.
void ScalarizeLanes(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_SCALARIZE_LANES_H_
