// The one way in: picks the reader by what the file is.
#ifndef LATHE_READER_READ_MODULE_H_
#define LATHE_READER_READ_MODULE_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/reader/relax_text/elaboration/remains.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe {

// `options` is what is wanted of ONNX models.
// Fails when `diags` got errors; `remains`, if given, is then what is left. `file` outlives the
// module.
absl::StatusOr<ir::Module> ReadModule(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, Remains* remains = nullptr,
                                      const onnx::ReadOptions& options = {});

}  // namespace lathe

#endif  // LATHE_READER_READ_MODULE_H_
