// Computes the shape that Relay's reshape codes describe.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RESHAPE_CODES_H_
#define LATHE_READER_RELAY_TEXT_OPS_RESHAPE_CODES_H_

#include <optional>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Codes, left to right: n > 0 is a size and passes one dimension of `from`; 0 copies that dimension
// (with `allow_zero` it is the size 0); -1 is inferred; -2 copies the remaining dimensions; -3 is
// the product of two; -4 splits one into the two sizes that follow, of which one may be -1.
absl::StatusOr<Dims> ReshapedDims(OpCall& c, const Dims& from, const std::vector<int64_t>& codes,
                                  bool allow_zero);

// Removes dimensions of size 1: those of `axes`, or all.
absl::StatusOr<Operand> Squeezed(OpCall& c, const Operand& x,
                                 const std::optional<std::vector<int64_t>>& axes);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RESHAPE_CODES_H_
