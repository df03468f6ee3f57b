// Lists the math functions with vector implementations.
#ifndef LATHE_SCHEDULE_VECTORS_VECTOR_FUNCTIONS_H_
#define LATHE_SCHEDULE_VECTORS_VECTOR_FUNCTIONS_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace lathe::schedule {

struct VectorFunction {
  absl::string_view name;    // of the intrinsic
  absl::string_view helper;  // of the generated function, after the model's name
  size_t arity;
};

// Returns null if there is none.
const VectorFunction* FindVectorFunction(absl::string_view name, size_t arity);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_VECTOR_FUNCTIONS_H_
