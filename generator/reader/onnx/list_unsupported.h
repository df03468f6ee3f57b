// All the nodes of a model that cannot be imported, before the first is.
#ifndef LATHE_READER_ONNX_LIST_UNSUPPORTED_H_
#define LATHE_READER_ONNX_LIST_UNSUPPORTED_H_

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Fails when an operator has no importer and is no function of the model: one diagnostic for each
// such operator, with its nodes.
absl::Status ListUnsupported(Import& import);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_LIST_UNSUPPORTED_H_
