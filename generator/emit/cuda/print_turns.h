// Prints strided loops by which threads or teams of threads share the points of axes.
#ifndef LATHE_EMIT_CUDA_PRINT_TURNS_H_
#define LATHE_EMIT_CUDA_PRINT_TURNS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The threads or teams that share the points.
struct Takers {
  std::string first;  // the number of this thread or team; an expression of type int64_t
  std::string step;   // the number of all threads or teams; an expression of type int64_t
  int each = 1;       // the consecutive points of each iteration
};

// Prints the loop over the points of `axes`; `body` prints its body. Returns the number of points
// as a host expression.
absl::StatusOr<CText> PrintTurns(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                 const Takers& takers, absl::FunctionRef<absl::Status()> body,
                                 LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TURNS_H_
