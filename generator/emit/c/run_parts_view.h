// Adds the parts of a run to the template dictionary of an exported function.
#ifndef LATHE_EMIT_C_RUN_PARTS_VIEW_H_
#define LATHE_EMIT_C_RUN_PARTS_VIEW_H_

#include <cstddef>

#include "generator/emit/c/model_names.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Adds to `entry` the names of the functions that run and check one part, and the
// multiply-accumulates of each part; adds the step function to `api`. `first` is the number of the
// first part of this function among those of all functions. Without --step, adds only `has_parts`,
// which is false.
void AddRunParts(const Model& model, ir::RoutineId id, size_t first, ApiFunction& api,
                 TemplateValue::Dict& entry);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_RUN_PARTS_VIEW_H_
