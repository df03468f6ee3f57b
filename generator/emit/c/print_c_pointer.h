// Places in memory, as PrimFuncs pass them on and look at them under other names.
#ifndef LATHE_EMIT_C_PRINT_C_POINTER_H_
#define LATHE_EMIT_C_PRINT_C_POINTER_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// A handle: where a buffer begins, T.address_of an element, T.tvm_access_ptr, a variable that is
// one.
absl::StatusOr<CPointer> PrintCPointer(CScope& scope, ir::PrimRef handle);

// A variable that is one.
absl::Status PrintCPointerLet(CScope& scope, const ir::LetStmt& let, LineWriter& out);

// From here on the buffer is another shape of memory that has a name already.
absl::Status AddCAlias(CScope& scope, ir::BufferRef buffer);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_POINTER_H_
