// Prints sizes, indices and elements of buffers as C.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENT_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Prints the size or index `e` without casts, in the width of the scope's loop variables. Sets
// scope.must_be_wide if a subexpression may not fit 32 bits.
absl::StatusOr<CText> PrintCIndexValue(CScope& scope, ir::PrimRef e);
// Returns the text of PrintCIndexValue().
absl::StatusOr<std::string> PrintCIndex(CScope& scope, ir::PrimRef e);

// Prints a size before it is checked. An expression of a caller's scalars may wrap around; it is
// then printed with the wrap-around of its dtype.
absl::StatusOr<std::string> PrintCSize(CScope& scope, ir::PrimRef e);

// Returns true if `e` is an index expression: integer variables and constants with +, -, *, min,
// max, floordiv, floormod and casts.
bool IsPlace(ir::PrimRef e);

// Returns true if `e` depends on a value from memory, directly or through a let, or is a float.
bool IsOfData(const CScope& scope, ir::PrimRef e);

// Prints the element of `buffer` at `indices`: name[i * 8 + j]. The dtype must not be packed.
absl::StatusOr<std::string> PrintCElement(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<ir::PrimRef>& indices);
// Returns the location of the element of `buffer` at `indices`, also for packed dtypes.
absl::StatusOr<StoredPlace> PrintCPlace(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<ir::PrimRef>& indices);

// Prints the address of the element. For a packed dtype it is the address of the byte in which the
// element starts. Fails if the element may start in the middle of a byte.
absl::StatusOr<std::string> PrintCAddress(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<ir::PrimRef>& indices);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENT_H_
