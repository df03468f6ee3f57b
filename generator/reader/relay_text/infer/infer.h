// Infers the types of a module by unification, one definition after the other.
#ifndef LATHE_READER_RELAY_TEXT_INFER_INFER_H_
#define LATHE_READER_RELAY_TEXT_INFER_INFER_H_

#include "generator/ir/context.h"
#include "generator/reader/relay_text/types/typed_module.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

// Fills everything of `module` but its tree. All errors are reported.
void InferTypes(ir::Context& context, TypedModule& module, Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_INFER_H_
