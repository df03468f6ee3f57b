// Sizes of which only the run knows whether they are equal, or one of them 1.
#ifndef LATHE_LOWER_SETTLE_BROADCAST_H_
#define LATHE_LOWER_SETTLE_BROADCAST_H_

#include "generator/lower/actual_call.h"

namespace lathe::lower {

// What `call`, inferred to be `info`, gives where it is an elementwise operator of two tensors, or
// their product, whose sizes may or may not be equal: a tensor of what they, or the batches,
// broadcast to, and a check that they do. Else `info`.
ir::StructInfoRef SettleBroadcast(RoutineBuilder& b, const ActualCall& call, ir::StructInfoRef info,
                                  const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_SETTLE_BROADCAST_H_
