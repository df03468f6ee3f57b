// Loops in which threads, or teams of them, take what axes count in turns.
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

// Who takes them: its own number among all, and how many there are; expressions of int64_t. Each
// takes `each` that follow one another at a time.
struct Takers {
  std::string first;
  std::string step;
  int each = 1;
};

// The loop, around what `body` prints. Returns how many turns there are together, for the host.
absl::StatusOr<CText> PrintTurns(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                 const Takers& takers, absl::FunctionRef<absl::Status()> body,
                                 LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TURNS_H_
