// Prints a copy of a tensor with zero padding as C. It copies contiguous runs of elements at once.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_PADDED_COPY_H_
#define LATHE_EMIT_C_KERNEL_PRINT_PADDED_COPY_H_

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/kernel_form.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the lines of `copy` to `out`.
absl::Status PrintPaddedCopy(CScope& scope, const ir::PaddedCopy& copy, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_PADDED_COPY_H_
