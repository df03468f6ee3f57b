// Reads a TFLite model as a Relax module.
#ifndef LATHE_READER_TFLITE_READ_TFLITE_H_
#define LATHE_READER_TFLITE_READ_TFLITE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::tflite {

// The types of inputs and outputs.
enum class IoTypes {
  kAsRead,
  kFloat,    // quantized inputs and outputs become real
  kInteger,  // real inputs and outputs that the model quantizes become quantized
  kIntegerInputs,
  kIntegerOutputs,
};

// Returns a module with an exported function per signature. It is called main if it is the only one
// or the first subgraph of a model without signatures. Quantized operators are computed in
// integers, exactly as TensorFlow Lite Micro computes them. Fails if errors were added to `diags`.
// `file` must outlive the module. Appends the files with data of tensors to `files`, unless it is
// null.
absl::StatusOr<ir::Module> ReadTflite(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, IoTypes io_types = IoTypes::kAsRead,
                                      std::vector<std::string>* files = nullptr);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_READ_TFLITE_H_
