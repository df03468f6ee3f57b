// Evaluates shape arithmetic symbolically: Shape, Gather, Concat and similar operators on small
// integer tensors become expressions of shape variables, so that no tensor has to be computed for a
// shape.
#ifndef LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_
#define LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns the result of the node as expressions if its inputs are known as expressions.
std::optional<Results> FoldShapeOps(NodeCall& n);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOLD_SHAPE_OPS_H_
