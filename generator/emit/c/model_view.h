// What the templates of a model's header and source read.
#ifndef LATHE_EMIT_C_MODEL_VIEW_H_
#define LATHE_EMIT_C_MODEL_VIEW_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// `emitted` gets the exported functions and the parts of runtime-c/ that the source includes. Of
// what cannot be printed, some is reported where it stands, the rest is the status.
absl::StatusOr<TemplateValue::Dict> ModelView(Model model, const EmitOptions& options,
                                              EmittedModel& emitted, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_VIEW_H_
