// Reads Relay text as a Relax module: parses it, infers its types, and translates it. Prints it.
#ifndef LATHE_READER_RELAY_TEXT_READ_RELAY_TEXT_H_
#define LATHE_READER_RELAY_TEXT_READ_RELAY_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relay {

// Returns whether the name or the first characters of `file` are those of Relay text.
bool IsRelayText(const SourceFile& file);

// Fails if errors were added to `diags`; all errors of the file are listed there. `file` must
// outlive the module.
absl::StatusOr<ir::Module> ReadRelayText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags);

// Reads Relay text, infers its types, and prints it again. Reading the result gives the same
// module. Fails if errors were added to `diags`.
absl::StatusOr<std::string> ReprintRelayText(ir::Context& context, const SourceFile& file,
                                             Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_READ_RELAY_TEXT_H_
