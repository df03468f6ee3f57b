// Writes a module as an ONNX model.
//
// The operators of its graph are those of operators.def. Loop nests become nodes if they are
// elementwise or reductions (write_kernel.h). One diagnostic lists everything that cannot be
// written.
#ifndef LATHE_WRITER_ONNX_WRITE_ONNX_H_
#define LATHE_WRITER_ONNX_WRITE_ONNX_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::onnx {

// Returns the bytes of the model for the exported function `main` or, without it, for the only
// exported function. Needs Value::info. Fails, after adding a diagnostic to `diags`, if there is no
// such function, if something cannot be written, or if the model exceeds 2 GiB.
absl::StatusOr<std::string> WriteOnnx(ir::Context& context, const ir::Module& module,
                                      Diagnostics& diags);
// Returns the bytes of the model for this Relax function.
absl::StatusOr<std::string> WriteOnnx(ir::Context& context, const ir::Module& module,
                                      ir::GlobalId function, Diagnostics& diags);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_WRITE_ONNX_H_
