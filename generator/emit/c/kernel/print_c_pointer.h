// Prints pointers, which PrimFuncs pass to functions and alias with other buffers.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_POINTER_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_POINTER_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints a handle as a pointer: the data of a buffer, T.address_of, T.tvm_access_ptr, a pointer
// with a byte offset, or a pointer variable. Fails for all other handles.
absl::StatusOr<CPointer> PrintCPointer(CScope& scope, ir::PrimRef handle);

// Prints the declaration of the pointer variable of `let` and adds it to `scope`.
absl::Status PrintCPointerLet(CScope& scope, const ir::LetStmt& let, LineWriter& out);

// Makes `buffer` an alias of the memory that its data pointer already denotes. Fails if the dtypes
// differ.
absl::Status AddCAlias(CScope& scope, ir::BufferRef buffer);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_POINTER_H_
