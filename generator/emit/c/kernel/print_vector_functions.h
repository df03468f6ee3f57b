// Prints the vector types and helper functions that the vectorized kernels of a source file share.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_VECTOR_FUNCTIONS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_VECTOR_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/target/target.h"

namespace lathe::emit {

// Adds to `needs` the helpers that the helpers in it call, and the headers that they need.
void AddVectorFunctions(const Target& target, CNeeds& needs);

// Returns the names of all vector types and helpers, without the prefix of the model. Nothing else
// in the file may have one of these names.
std::vector<std::string> VectorFunctionNames();

// Returns the text of the types and helpers that the file needs. Returns an empty text if no kernel
// is vectorized, by Lathe or by the compiler, or keeps sums in scalar registers.
absl::StatusOr<std::string> PrintVectorFunctions(const Target& target, const CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_VECTOR_FUNCTIONS_H_
