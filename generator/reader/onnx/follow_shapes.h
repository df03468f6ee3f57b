// Shape arithmetic in graphs: Shape, Gather, Concat and their like on small integer tensors become
// expressions of shape variables, so that no tensor is computed to be used as a shape.
#ifndef LATHE_READER_ONNX_FOLLOW_SHAPES_H_
#define LATHE_READER_ONNX_FOLLOW_SHAPES_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// The node's result as expressions, when its inputs are known as such.
std::optional<Results> FollowShapes(NodeCall& n);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOLLOW_SHAPES_H_
