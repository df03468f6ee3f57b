// Reads shapes from tensors whose elements are known at run time.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_
#define LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_

#include <functional>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the length of argument `i`, a list. Reports an error unless the argument has one
// dimension of a constant size of at most 16.
absl::StatusOr<int64_t> LengthOfList(OpCall& c, int i);
// Returns the elements of argument `i`, a list: constants, or new shape variables. Truncates
// floats. Reports an error for a negative constant, and for a list that LengthOfList rejects and
// whose elements are not constants.
absl::StatusOr<Dims> ShapeArgument(OpCall& c, int i);

// Returns new shape variables for `count` sizes, which a kernel computes: size k is size(te, k),
// where input i of `te` is args[i].
using SizeFn = std::function<PrimRef(Te&, size_t)>;
Dims ComputedSizes(OpCall& c, const Operands& args, size_t count, const SizeFn& size);

// Returns element `k`, as int64, of the list in input `input` of a kernel.
PrimRef ListElement(Te& te, int input, size_t k);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RUN_TIME_LIST_H_
