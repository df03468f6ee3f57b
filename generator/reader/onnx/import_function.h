// Operators that a model defines itself: their bodies stand where they are called.
#ifndef LATHE_READER_ONNX_IMPORT_FUNCTION_H_
#define LATHE_READER_ONNX_IMPORT_FUNCTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// The model's function that `node` calls; null when it calls none.
const Function* FindFunction(const Model& model, const Node& node);

absl::StatusOr<std::vector<Term>> ImportCall(Import& import, const Scope& scope, const Node& node,
                                             const Function& function,
                                             const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_IMPORT_FUNCTION_H_
