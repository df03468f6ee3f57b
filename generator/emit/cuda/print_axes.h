// Prints the computation of loop axes from their linear index.
#ifndef LATHE_EMIT_CUDA_PRINT_AXES_H_
#define LATHE_EMIT_CUDA_PRINT_AXES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints a declaration of each axis in terms of the variable `whole`, their linear index. The last
// axis varies fastest. Axes without a name in the scope get one.
absl::Status PrintAxes(CScope& scope, const std::vector<ir::GridAxis>& axes,
                       const std::string& whole, LineWriter& out);

// Adds the range of the axis variable to the scope.
void BoundAxis(CScope& scope, const ir::GridAxis& axis);

// Names the axis in the scope: the C variable `name` holds its value.
void NameAxis(CScope& scope, const ir::GridAxis& axis, const std::string& name);

// Returns the number of points of `axes`, the product of their extents.
ir::PrimRef CountOf(CScope& scope, const std::vector<ir::GridAxis>& axes);

// The largest number of elements for which grid-stride loops use 32-bit indices. With more
// elements, the index after the last iteration may overflow.
constexpr int64_t kMaxNarrow = int64_t{1} << 30;

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_AXES_H_
