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

// Appends the call `step` of the routine `id` to `out`, as a block of C. `scope` names variables,
// `frame` has the addresses of the routine's memory, and `spell` returns the pointer to a tensor.
// The external function allocates tensors of its result in the scratch memory of the step. If the
// result has a dynamic structure (lower::KeepsResult), it allocates them in the region whose values
// live until the run ends. Fails if a size or a pointer cannot be printed as C.
absl::Status PrintPackedStep(Model& model, ir::RoutineId id, CScope& scope, FrameText& frame,
                             const ir::PackedStep& step, SpellTensor spell, LineWriter& out);

// Returns the names and prototypes of the external functions for templates. The user defines them.
TemplateValue::List PackedFunctions(const Model& model);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_PACKED_H_
