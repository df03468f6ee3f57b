// Prints C loops over the axes of a stage.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_AXIS_LOOPS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_AXIS_LOOPS_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/nest.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Adds the range of `var` to `scope`: 0 to `extent` - 1.
void BoundByExtent(CScope& scope, ir::PrimRef var, ir::PrimRef extent);

// Chooses the C variable of `axis` and adds it and its range to `scope`. Returns its name.
std::string NameAxis(CScope& scope, const ir::NestAxis& axis);

// Prints one loop for each of `axes` around the lines that `body` prints. If `unroll`, asks the
// compiler to unroll the loops.
absl::Status PrintAxisLoops(CScope& scope, absl::Span<const ir::NestAxis> axes, bool unroll,
                            LineWriter& out, absl::FunctionRef<absl::Status()> body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_AXIS_LOOPS_H_
