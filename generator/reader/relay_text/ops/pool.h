// Emits the pool that nn.*_pool* and qnn.avg_pool2d share.
#ifndef LATHE_READER_RELAY_TEXT_OPS_POOL_H_
#define LATHE_READER_RELAY_TEXT_OPS_POOL_H_

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Pools `x` according to the attributes of the call.
absl::StatusOr<Operand> Pooled(OpCall& c, const Operand& x, bool average);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_POOL_H_
