// Builds the template dictionary of one exported function: its structs, checks and body.
#ifndef LATHE_EMIT_C_ENTRY_VIEW_H_
#define LATHE_EMIT_C_ENTRY_VIEW_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_need.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Returns the dictionary of the exported routine `id`. Prints the function that computes the arena
// bytes it needs with `needs`. Adds the function's API to `emitted`.
absl::StatusOr<TemplateValue::Dict> EntryView(Model& model, NeedPrinter& needs, ir::RoutineId id,
                                              EmittedModel& emitted);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_ENTRY_VIEW_H_
