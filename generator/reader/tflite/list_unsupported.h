// Lists the operators of a model that are not supported.
#ifndef LATHE_READER_TFLITE_LIST_UNSUPPORTED_H_
#define LATHE_READER_TFLITE_LIST_UNSUPPORTED_H_

#include "absl/status/status.h"
#include "generator/reader/tflite/ops/graph_import.h"

namespace lathe::tflite {

// Reports one diagnostic per unsupported operator name, with the number of its uses and the reason.
// Returns an error if there is such a name.
absl::Status ListUnsupported(ModelImport& model);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_LIST_UNSUPPORTED_H_
