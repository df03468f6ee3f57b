// Operators whose result's shape is an input of the model: it is the shape that the model declares,
// and what the input says is checked when it runs.
#ifndef LATHE_READER_ONNX_RUN_TIME_SHAPES_H_
#define LATHE_READER_ONNX_RUN_TIME_SHAPES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// `x` with as many elements as the shape in input 1 of the node says: -1 what is left, 0 as in `x`.
Operand ReshapeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

// Axes in input 1 of the node taken out of `x`, or added to it, each of length 1.
absl::StatusOr<Results> SqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);
absl::StatusOr<Results> UnsqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

// `x` broadcast together with the shape in input 1 of the node.
absl::StatusOr<Results> ExpandAtRunTime(NodeCall& n, const Operand& x, const Dims& declared);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_SHAPES_H_
