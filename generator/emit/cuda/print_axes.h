// Several axes that count as one, taken apart.
#ifndef LATHE_EMIT_CUDA_PRINT_AXES_H_
#define LATHE_EMIT_CUDA_PRINT_AXES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// A line for each axis, the value of which is one of `whole`, a variable: the last axis counts
// fastest. Where all axes are names already, the lines alone.
absl::Status PrintAxes(CScope& scope, const std::vector<ir::GridAxis>& axes,
                       const std::string& whole, LineWriter& out);

// Tells the scope in which range the axis is.
void BoundAxis(CScope& scope, const ir::GridAxis& axis);

// The variable `name` is the axis from here on.
void NameAxis(CScope& scope, const ir::GridAxis& axis, const std::string& name);

// How many values all of them have together.
ir::PrimRef CountOf(CScope& scope, const std::vector<ir::GridAxis>& axes);

// Beyond this a thread's next element may have a number of more than 31 bits.
constexpr int64_t kMostNarrow = int64_t{1} << 30;

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_AXES_H_
