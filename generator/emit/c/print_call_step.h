// Prints the call of another routine as C.
#ifndef LATHE_EMIT_C_PRINT_CALL_STEP_H_
#define LATHE_EMIT_C_PRINT_CALL_STEP_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_frame.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the call `step` of the routine `id` to `out`. `number` is the index of the call among the
// calls of the routine, in the order of its steps. `argument` returns the C expression of an input
// or output.
absl::Status PrintCallStep(const Model& model, ir::RoutineId id, CScope& scope,
                           const FrameText& frame, const ir::CallStep& step, size_t number,
                           absl::FunctionRef<absl::StatusOr<std::string>(const ir::Part&)> argument,
                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CALL_STEP_H_
