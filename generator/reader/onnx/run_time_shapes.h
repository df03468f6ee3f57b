// Imports shape operators whose shape or axes are known only at run time. The result has the shape
// that the model declares, and a run-time check compares it with the input. Without a declared
// shape it has new shape variables, which the run computes from the input.
#ifndef LATHE_READER_ONNX_RUN_TIME_SHAPES_H_
#define LATHE_READER_ONNX_RUN_TIME_SHAPES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Reshapes `x` to `declared`. Checks it against input 1, in which -1 is inferred and 0 copies a
// dimension of `x`.
Operand ReshapeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

// Removes or inserts dimensions of 1 at the axes in input 1.
absl::StatusOr<Results> SqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);
absl::StatusOr<Results> UnsqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

// Broadcasts `x` with the shape in input 1.
absl::StatusOr<Results> ExpandAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

// Return the shape of the result of these operators on a tensor of `from`, as new shape variables.
// Return nothing if its rank is not constant.
std::optional<Dims> FoundShape(NodeCall& n, const Dims& from);
std::optional<Dims> FoundSqueezed(NodeCall& n, const Dims& from);
std::optional<Dims> FoundUnsqueezed(NodeCall& n, const Dims& from);
std::optional<Dims> FoundExpanded(NodeCall& n, const Dims& from);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_SHAPES_H_
