// Builds the template dictionary of a model's header and source.
#ifndef LATHE_EMIT_C_MODEL_VIEW_H_
#define LATHE_EMIT_C_MODEL_VIEW_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Returns the dictionary. Adds the exported functions, and the files of runtime-c/ that the source
// includes, to `emitted`. If a part of the model cannot be printed, fails with the reason, or
// reports it to `diags` with its location and fails.
absl::StatusOr<TemplateValue::Dict> ModelView(Model model, const EmitOptions& options,
                                              EmittedModel& emitted, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_VIEW_H_
