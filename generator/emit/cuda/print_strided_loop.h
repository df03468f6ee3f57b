// Prints strided loops that distribute the points of axes over threads or teams of threads:
//   for (i = first; i < count; i += step) ...
#ifndef LATHE_EMIT_CUDA_PRINT_STRIDED_LOOP_H_
#define LATHE_EMIT_CUDA_PRINT_STRIDED_LOOP_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The part of the points that one thread or team processes.
struct LoopShare {
  std::string first;  // the number of this thread or team; an expression of type int64_t
  std::string step;   // the number of all threads or teams; an expression of type int64_t
  int each = 1;       // consecutive points for each iteration
};

// Prints the loop over the points of `axes`; `body` prints its body. Returns the number of points
// as a host expression.
absl::StatusOr<CText> PrintStridedLoop(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                       const LoopShare& share,
                                       absl::FunctionRef<absl::Status()> body, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_STRIDED_LOOP_H_
