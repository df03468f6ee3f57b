// The part of a source file that kernels in vectors share.
#ifndef LATHE_EMIT_C_PRINT_VECTOR_FUNCTIONS_H_
#define LATHE_EMIT_C_PRINT_VECTOR_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/target/target.h"

namespace lathe::emit {

// What the helpers themselves need. Adds helpers that helpers call.
void AddVectorFunctions(const Target& target, CNeeds& needs);

// All that there may be, behind the model's name; nothing else in the file is named so.
std::vector<std::string> VectorFunctionNames();

// Empty where no kernel has vectors.
absl::StatusOr<std::string> PrintVectorFunctions(const Target& target, const CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_VECTOR_FUNCTIONS_H_
