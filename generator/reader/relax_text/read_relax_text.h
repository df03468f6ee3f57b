// From the text of a TVMScript file to a module: the syntax tree, then normal form. What is found
// wrong is wrong with the text alone; nothing is inferred.
#ifndef LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_
#define LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/remains.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// Fails when `diags` got errors; they are all there, and `remains`, if given, is what is left.
// `file` outlives the module.
absl::StatusOr<ir::Module> ReadRelaxText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags, Remains* remains = nullptr);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_READ_RELAX_TEXT_H_
