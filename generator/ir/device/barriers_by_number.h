// The older dialects count the barriers of a block: T.create_barriers(2), T.ptx_wait_barrier(1).
#ifndef LATHE_IR_DEVICE_BARRIERS_BY_NUMBER_H_
#define LATHE_IR_DEVICE_BARRIERS_BY_NUMBER_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

inline constexpr int64_t kBarrierBytes = 8;
// That a phase of one waits for, and bytes that it expects at once.
inline constexpr int64_t kMostArrivals = (1 << 20) - 1;
// As many as the shared memory of a block has room for.
inline constexpr int64_t kMostBarriers = 49152 / kBarrierBytes;

// T.create_barriers(n).
bool CreatesBarriers(const Intrinsic& call);
// The number that a call says of one of those; null where it is no such call.
PrimRef BarrierNumberOf(const Intrinsic& call);

// `body` with such barriers as elements of an array in shared memory, and what is done with them
// as the newer dialects say it. What is begun where every thread comes to is begun by one, and all
// wait until it is: so such programs mean it. What makes none, or reaches none, stays as it is
// (analysis/check_barriers says so).
StmtRef BarriersByNumber(Context& context, StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_BARRIERS_BY_NUMBER_H_
