// Loops in C over the axes of a stage.
#ifndef LATHE_EMIT_C_PRINT_AXIS_LOOPS_H_
#define LATHE_EMIT_C_PRINT_AXIS_LOOPS_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/nest.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// What counts from 0 up to before `extent` is at most that.
void BoundByExtent(CScope& scope, ir::PrimRef var, ir::PrimRef extent);

// The name of the axis in C, which counts from 0.
std::string NameAxis(CScope& scope, const ir::NestAxis& axis);

// Around what `body` prints, which the compiler is asked to write out turn by turn where `unroll`.
absl::Status PrintAxisLoops(CScope& scope, absl::Span<const ir::NestAxis> axes, bool unroll,
                            LineWriter& out, absl::FunctionRef<absl::Status()> body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_AXIS_LOOPS_H_
