// Prints the elements of a constant array of a kernel.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENTS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns the initializers of an array that holds `values` in the dtype of `buffer`. They are
// numbers, or bit patterns for small floats and packed dtypes. Returns one "0" if there are no
// values, because C has no empty arrays.
absl::StatusOr<std::vector<std::string>> PrintCElements(CScope& scope, ir::BufferRef buffer,
                                                        const std::vector<ir::PrimRef>& values);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_ELEMENTS_H_
