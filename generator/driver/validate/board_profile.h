// How many instructions each step of a model takes on a board, and how deep it goes into the stack.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_
#define LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/board_program.h"

namespace lathe::driver {

struct StepProfile {
  std::string step;  // its line of C
  uint64_t instructions = 0;
  uint64_t stack = 0;  // bytes, of all that is active then
};

struct BoardProfile {
  uint64_t instructions = 0;
  std::vector<StepProfile> steps;  // in the order they stand in the source
};

// Counts what `image` in `folder` executes in `function`, which stands in `source`: the same image
// that `run` came from, run again with a plugin of QEMU that is compiled for it. The two runs that
// it makes must take the same number of instructions, or it is FailedPrecondition.
absl::StatusOr<BoardProfile> ProfileBoardProgram(const BoardTools& tools, const std::string& folder,
                                                 const std::vector<std::string>& functions,
                                                 const emit::OutputFile& source,
                                                 const BoardRun& run);

// A line for `function`, whose run took `stack` bytes, and one for each step.
std::string RenderProfile(const BoardProfile& profile, absl::string_view function, uint64_t stack);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_
