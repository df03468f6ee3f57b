// Reads the text of a TVMScript file into a module: parses it into a syntax tree and elaborates the
// tree into normal form. Types are not inferred, so only errors in the text itself are reported.
#ifndef LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_
#define LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/remains.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// Returns the module of `file`. Fails if errors were added to `diags`; all errors of the file are
// listed there. If `remains` is not null, it then receives the readable part of the module. `file`
// must outlive the module.
absl::StatusOr<ir::Module> ReadRelaxText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags, Remains* remains = nullptr);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_
