// A tensor with zeros around it, in C: runs of elements are copied whole.
#ifndef LATHE_EMIT_C_PRINT_PADDED_COPY_H_
#define LATHE_EMIT_C_PRINT_PADDED_COPY_H_

#include "absl/status/status.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/kernel_form.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

absl::Status PrintPaddedCopy(CScope& scope, const ir::PaddedCopy& copy, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_PADDED_COPY_H_
