// Selects the largest or smallest elements along an axis.
#ifndef LATHE_READER_RELAY_TEXT_OPS_SORT_PARTS_H_
#define LATHE_READER_RELAY_TEXT_OPS_SORT_PARTS_H_

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the call's topk with this k; all elements if it is below 1.
absl::StatusOr<Operand> TopK(OpCall& c, int64_t k);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_SORT_PARTS_H_
