// Restores weights that TVM has packed.
#ifndef LATHE_READER_RELAY_TEXT_OPS_PACKED_WEIGHT_H_
#define LATHE_READER_RELAY_TEXT_OPS_PACKED_WEIGHT_H_

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the weight of a packed dense operator as (units, in).
absl::StatusOr<Operand> UnpackedWeight(OpCall& c, const Operand& w);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_PACKED_WEIGHT_H_
