// What a model declares of results, told to the values that they are made of element by element.
#ifndef LATHE_READER_ONNX_SPREAD_DECLARED_H_
#define LATHE_READER_ONNX_SPREAD_DECLARED_H_

#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Adds to scope.declared the shapes of values of which nothing is declared, but that have the shape
// of a value of which something is: y = Sqrt(x), y = Add(x, a number).
void SpreadDeclared(Scope& scope, const Graph& graph);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SPREAD_DECLARED_H_
