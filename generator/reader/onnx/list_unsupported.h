// Reports all unsupported operators of a model before the import starts.
#ifndef LATHE_READER_ONNX_LIST_UNSUPPORTED_H_
#define LATHE_READER_ONNX_LIST_UNSUPPORTED_H_

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Fails if a node has neither an importer nor a function of the model. Adds one diagnostic for each
// such operator, with its nodes.
absl::Status ListUnsupported(Import& import);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_LIST_UNSUPPORTED_H_
