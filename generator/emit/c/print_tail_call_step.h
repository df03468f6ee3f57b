// Prints the tail call of a routine to itself as C.
#ifndef LATHE_EMIT_C_PRINT_TAIL_CALL_STEP_H_
#define LATHE_EMIT_C_PRINT_TAIL_CALL_STEP_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/print_moves.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the assignments for the next iteration to `out`. All new values are computed before the
// first variable is assigned. `argument` returns the C expression of an input.
absl::Status PrintTailCallStep(
    const ir::Routine& routine, CScope& scope, MovePrinter& moves, CNames& names,
    const ir::TailCallStep& step,
    absl::FunctionRef<absl::StatusOr<std::string>(const ir::Part&)> argument, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_TAIL_CALL_STEP_H_
