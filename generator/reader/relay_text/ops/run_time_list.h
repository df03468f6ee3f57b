// Reads shapes from tensors whose elements are known at run time.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_
#define LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_

#include <functional>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the length of argument `i`, a list. Its elements may be floats, which are truncated.
absl::StatusOr<int64_t> LengthOfList(OpCall& c, int i);
// Returns the elements of argument `i`: constants, or new shape variables.
absl::StatusOr<Dims> ShapeArgument(OpCall& c, int i);

// New shape variables for `count` sizes that a kernel computes from `args`.
using SizeFn = std::function<PrimRef(Te&, size_t)>;
Dims ComputedSizes(OpCall& c, const Operands& args, size_t count, const SizeFn& size);

// Returns element `k` of the list in input `input` of a kernel.
PrimRef ListElement(Te& te, int input, size_t k);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_
