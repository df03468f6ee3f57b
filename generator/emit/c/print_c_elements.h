// The elements of an array that is a constant of a kernel.
#ifndef LATHE_EMIT_C_PRINT_C_ELEMENTS_H_
#define LATHE_EMIT_C_PRINT_C_ELEMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// Numbers, or what codes and bits they are stored as.
absl::StatusOr<std::vector<std::string>> PrintCElements(CScope& scope, ir::BufferRef buffer,
                                                        const std::vector<ir::PrimRef>& values);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_ELEMENTS_H_
