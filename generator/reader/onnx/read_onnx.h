// ONNX models: decoded, checked and imported as Relax.
#ifndef LATHE_READER_ONNX_READ_ONNX_H_
#define LATHE_READER_ONNX_READ_ONNX_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::onnx {

// A module whose function main takes the graph's inputs that have no value, and gives its outputs:
// one as it is, several as a tuple. Fails when `diags` got errors. External data is read from the
// folder that the file lies in.
absl::StatusOr<ir::Module> ReadOnnx(ir::Context& context, const SourceFile& file,
                                    Diagnostics& diags);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_READ_ONNX_H_
