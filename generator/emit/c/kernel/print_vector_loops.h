// Prints stages that compute a vector of adjacent elements at once as C.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_VECTOR_LOOPS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_VECTOR_LOOPS_H_

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/kernel_form.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the loops to `out`. `lanes` is the number of elements of a vector. Fails if an expression
// cannot be printed as C.
absl::Status PrintVectorLoops(CScope& scope, const ir::VectorLoops& loops, int lanes,
                              LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_VECTOR_LOOPS_H_
