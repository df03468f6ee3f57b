// Infers broadcasts whose compatibility is known only at run time.
#ifndef LATHE_LOWER_RESOLVE_BROADCAST_H_
#define LATHE_LOWER_RESOLVE_BROADCAST_H_

#include "generator/lower/actual_call.h"

namespace lathe::lower {

// Returns the info of `call`, inferred to be `info`, if it is an elementwise operator of two
// tensors, or their matrix product, whose sizes may be equal or 1. The result has the broadcast
// sizes, and a check is emitted that the operands are compatible. Returns `info` for other calls.
ir::StructInfoRef ResolveBroadcast(RoutineBuilder& b, const ActualCall& call,
                                   ir::StructInfoRef info, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_RESOLVE_BROADCAST_H_
