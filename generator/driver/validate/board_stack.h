// Compares the stack use of a run on a board with the bound that `compile --max-stack` checks.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_STACK_H_
#define LATHE_DRIVER_VALIDATE_BOARD_STACK_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/validate/board_program.h"

namespace lathe::driver {

// Measures the code of `model`, compiled as for the board in a subfolder of `folder`. Returns two
// lines: the board, and "stack 280 B used, at most 312 B (model_main > model_conv)" or why there is
// no bound. Fails with FailedPrecondition if the run exceeded the bound.
absl::StatusOr<std::string> CompareBoardStack(const GeneratedModel& model,
                                              const emit::ApiFunction& function,
                                              const BoardTools& tools, const std::string& folder,
                                              const BoardRun& run);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_STACK_H_
