// Propagates declared shapes backwards through elementwise operators.
#ifndef LATHE_READER_ONNX_PROPAGATE_DECLARED_H_
#define LATHE_READER_ONNX_PROPAGATE_DECLARED_H_

#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Adds declared shapes to `scope` for values without one that have the shape of a declared value:
// in y = Sqrt(x) or y = Add(x, scalar), x gets the shape of y.
void PropagateDeclared(Scope& scope, const Graph& graph);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PROPAGATE_DECLARED_H_
