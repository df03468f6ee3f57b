// Translates a typed module of Relay to Relax.
#ifndef LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATE_H_
#define LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATE_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/relay_text/types/typed_module.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

// Exports @main, or all functions without type parameters if there is none. Fails if it adds errors
// to `diags`.
absl::StatusOr<ir::Module> Translate(ir::Context& context, TypedModule& module, Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATE_H_
