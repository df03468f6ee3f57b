// Finds a small subset of items that has a property, by delta debugging (ddmin).
#ifndef LATHE_TRANSFORM_REDUCE_MINIMIZE_SET_H_
#define LATHE_TRANSFORM_REDUCE_MINIMIZE_SET_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"

namespace lathe::transform {

// Returns the indices, ascending, of a subset of `count` items for which `holds` is true. The
// property holds for all items, which is not asked. It does not hold without any single item of the
// result, unless the result is empty. Asks about the empty set last.
std::vector<size_t> MinimizeSet(size_t count,
                                absl::FunctionRef<bool(const std::vector<size_t>&)> holds);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_MINIMIZE_SET_H_
