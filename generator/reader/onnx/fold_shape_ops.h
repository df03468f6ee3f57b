// Evaluates shape arithmetic symbolically: Shape, Gather, Concat and similar operators on small
// integer tensors become expressions of shape variables, so that no tensor has to be computed for a
// shape.
#ifndef LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_
#define LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns the result of the node as expressions. Shape and Size need only the dimensions of their
// input; the other operators need inputs whose elements are known as expressions, and constant
// indices, axes and conditions. Returns nothing for other nodes, and for results that are too long
// or too deep, or do not fit their dtype.
std::optional<Results> FoldShapeOps(NodeCall& n);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_
