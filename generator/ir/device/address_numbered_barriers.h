// Lowers barriers addressed by number, T.create_barriers(2) and T.ptx_wait_barrier(1) of older
// dialects, to mbarriers in shared memory.
#ifndef LATHE_IR_DEVICE_ADDRESS_NUMBERED_BARRIERS_H_
#define LATHE_IR_DEVICE_ADDRESS_NUMBERED_BARRIERS_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

inline constexpr int64_t kBarrierBytes = 8;
// The largest arrival count of a phase, and the largest number of bytes expected at once.
inline constexpr int64_t kMaxArrivals = (1 << 20) - 1;
// As many as fit in the static shared memory of a block.
inline constexpr int64_t kMaxBarriers = 49152 / kBarrierBytes;

// T.create_barriers(n).
bool CreatesBarriers(const Intrinsic& call);
// Returns the barrier number that `call` uses; null for other calls.
PrimRef BarrierNumberOf(const Intrinsic& call);

// Returns `body` with the barriers as elements of an array in shared memory, and their operations
// in the form of the newer dialects. An initialization reached by all threads is executed by one,
// followed by a block barrier, which is what such programs mean. Calls without a preceding
// creation, and invalid numbers, are unchanged (analysis/check_barriers reports them).
StmtRef AddressNumberedBarriers(Context& context, StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_ADDRESS_NUMBERED_BARRIERS_H_
