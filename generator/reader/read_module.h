// Reads a program in any supported format; selects the reader by the extension of the file or by
// its contents.
#ifndef LATHE_READER_READ_MODULE_H_
#define LATHE_READER_READ_MODULE_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/read_options.h"
#include "generator/reader/relax_text/elaboration/remains.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe {

// Fails if `diags` got errors; `remains`, if given, then describes what could be read. `file` must
// outlive the module.
absl::StatusOr<ir::Module> ReadModule(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, Remains* remains = nullptr,
                                      const ReadOptions& options = {});

}  // namespace lathe

#endif  // LATHE_READER_READ_MODULE_H_
