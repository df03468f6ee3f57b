// Makes tensors from sizes and scalars.
#ifndef LATHE_READER_RELAY_TEXT_OPS_MAKE_TENSOR_H_
#define LATHE_READER_RELAY_TEXT_OPS_MAKE_TENSOR_H_

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns a tensor of the shape `dims` whose elements are the scalar `value`.
Operand FilledBy(OpCall& c, const Operand& value, const Dims& dims, DType dtype);

// Returns the call's one_hot with this depth.
absl::StatusOr<Operand> OneHot(OpCall& c, const Operand& indices, const Operand& on,
                               const Operand& off, PrimRef depth);

// Returns new shape variables for the elements of a list of `count` integers known at run time.
Dims ShapeOfList(OpCall& c, const Operand& list, int64_t count);
// Returns the length of arange(start, stop, step) as a new shape variable.
PrimRef CountAtRunTime(OpCall& c, const Operands& bounds);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_MAKE_TENSOR_H_
