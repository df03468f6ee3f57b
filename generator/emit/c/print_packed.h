// Prints the call of an external function as C: packs its arguments into values, and unpacks its
// result.
#ifndef LATHE_EMIT_C_PRINT_PACKED_H_
#define LATHE_EMIT_C_PRINT_PACKED_H_

#include <string>

#include "absl/status/status.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/print_frame.h"
#include "generator/emit/c/print_value.h"
#include "generator/emit/text/template.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the call `step` of the routine `id` to `out`. `spell` returns the pointer to a tensor. If
// the result is kept, the function allocates it in the region of kept values.
absl::Status PrintPackedStep(Model& model, ir::RoutineId id, CScope& scope, FrameText& frame,
                             const ir::PackedStep& step, SpellTensor spell, LineWriter& out);

// Returns the names and prototypes of the external functions for templates. The user defines them.
TemplateValue::List PackedFunctions(const Model& model);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_PACKED_H_
