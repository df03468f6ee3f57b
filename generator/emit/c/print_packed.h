// A call of a function from outside as C: values made of what it is given, and what it gives back
// taken apart.
#ifndef LATHE_EMIT_C_PRINT_PACKED_H_
#define LATHE_EMIT_C_PRINT_PACKED_H_

#include <string>

#include "absl/status/status.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_frame.h"
#include "generator/emit/c/print_value.h"
#include "generator/emit/text/template.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// In the routine `id`, whose arena `frame` knows. Where the result is kept, what the function makes
// is kept in the region.
absl::Status PrintPackedStep(Model& model, ir::RoutineId id, CScope& scope, FrameText& frame,
                             const ir::PackedStep& step, SpellTensor spell, LineWriter& out);

// What the user has to define, for templates: the functions' names and their prototypes.
TemplateValue::List PackedFunctions(const Model& model);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_PACKED_H_
