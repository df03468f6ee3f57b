// Builds the template dictionary of a model's header and source.
#ifndef LATHE_EMIT_C_MODEL_VIEW_H_
#define LATHE_EMIT_C_MODEL_VIEW_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Adds the exported functions, and the files of runtime-c/ that the source includes, to `emitted`.
// Fails after adding a diagnostic if a constant is written. Fails without one, with the reason in
// the status, if a kernel, function or constant cannot be printed.
absl::StatusOr<TemplateValue::Dict> ModelView(Model model, const EmitOptions& options,
                                              EmittedModel& emitted, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_VIEW_H_
