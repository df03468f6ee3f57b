// A call of another routine as C.
#ifndef LATHE_EMIT_C_PRINT_CALL_STEP_H_
#define LATHE_EMIT_C_PRINT_CALL_STEP_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_frame.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// `number` counts the calls of the routine `id`, in the order of its steps; `argument` spells what
// the call is given.
absl::Status PrintCallStep(const Model& model, ir::RoutineId id, CScope& scope,
                           const FrameText& frame, const ir::CallStep& step, size_t number,
                           absl::FunctionRef<absl::StatusOr<std::string>(const ir::Part&)> argument,
                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CALL_STEP_H_
