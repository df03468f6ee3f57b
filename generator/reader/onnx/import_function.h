// Imports calls of operators that the model defines as functions, by inlining their bodies.
#ifndef LATHE_READER_ONNX_IMPORT_FUNCTION_H_
#define LATHE_READER_ONNX_IMPORT_FUNCTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Returns the function of the model that `node` calls, or null.
const Function* FindFunction(const Model& model, const Node& node);

// Imports the body of `function` for the call `node`, and returns its outputs, which are empty
// terms where no node computes them. Fails after a report if a node fails or calls are too many or
// deep.
absl::StatusOr<std::vector<Term>> ImportCall(Import& import, const Scope& scope, const Node& node,
                                             const Function& function,
                                             const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_IMPORT_FUNCTION_H_
