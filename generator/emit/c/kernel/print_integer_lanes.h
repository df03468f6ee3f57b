// Prints elementwise integer stages as C that computes four adjacent elements at once, by the
// functions of lathe/helium_lanes.h.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_INTEGER_LANES_H_
#define LATHE_EMIT_C_KERNEL_PRINT_INTEGER_LANES_H_

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/kernel_form.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the loops to `out`. Fails if schedule/vectors/match_integer_lanes.h does not match the
// stage.
absl::Status PrintIntegerLanes(CScope& scope, const ir::IntegerLanes& lanes, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_INTEGER_LANES_H_
