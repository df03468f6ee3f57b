// Names the operators whose result element depends only on the operand elements at its position.
#ifndef LATHE_TRANSFORM_POINTWISE_OPS_H_
#define LATHE_TRANSFORM_POINTWISE_OPS_H_

#include "absl/strings/string_view.h"

namespace lathe::transform {

// Returns true for float operators that a table of all values of a small integer can replace.
bool IsPointwise(absl::string_view op);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POINTWISE_OPS_H_
