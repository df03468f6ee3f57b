// Compares the stack that a run on a board used with the bound that `compile --max-stack` takes.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_STACK_H_
#define LATHE_DRIVER_VALIDATE_BOARD_STACK_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/validate/board_program.h"

namespace lathe::driver {

// Two lines: the board, and "stack 280 B used, at most 312 B (model_main > model_conv)" or why
// there is no bound. Measures the code that `run` came from, compiled as for the board.
// FailedPrecondition where the run used more than the bound.
absl::StatusOr<std::string> CompareBoardStack(const GeneratedModel& model,
                                              const emit::ApiFunction& function,
                                              const BoardTools& tools, const BoardRun& run);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_STACK_H_
