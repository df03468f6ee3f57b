// Prints the int8 operations that schedule/int8 substitutes for loops and those that
// transform/quantize emits (ir/defined_operations.h). Each is a function of a header in lathe/.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_INT8_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_INT8_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/prim_expr.h"

namespace lathe::emit {

// Returns true if `name` is an intrinsic for such an operation.
bool IsInt8Operation(absl::string_view name);

// Prints the statement that calls the operation. Adds its header to the headers of the file.
absl::StatusOr<std::string> PrintCInt8Operation(CScope& scope, const ir::Intrinsic& call);

// Returns the buffers that the operation writes; none if `call` is another intrinsic.
std::vector<ir::BufferRef> WrittenByInt8Operation(const ir::Intrinsic& call);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_INT8_H_
