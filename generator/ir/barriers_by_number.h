// The older dialects count the barriers of a block: T.create_barriers(2), T.ptx_wait_barrier(1).
#ifndef LATHE_IR_BARRIERS_BY_NUMBER_H_
#define LATHE_IR_BARRIERS_BY_NUMBER_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// `body` with such barriers as elements of an array in shared memory, and what is done with them
// as the newer dialects say it. What is begun where every thread comes to is begun by one, and all
// wait until it is: so such programs mean it.
StmtRef BarriersByNumber(Context& context, StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_BARRIERS_BY_NUMBER_H_
