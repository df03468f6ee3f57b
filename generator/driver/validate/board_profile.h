// Profiles a model on an emulated board: instructions and stack depth of each step.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_
#define LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/board_program.h"

namespace lathe::driver {

struct StepProfile {
  int64_t line = 0;  // in the source; 0 for code outside of steps
  std::string step;  // the line of C
  uint64_t instructions = 0;
  uint64_t stack = 0;  // bytes, with the frames of all callers
};

struct BoardProfile {
  uint64_t instructions = 0;       // of all runs
  std::vector<uint64_t> of_run;    // with a state, runs may differ
  std::vector<StepProfile> steps;  // in source order
};

// Counts the instructions of the first of `functions` that is in the image, which is defined in
// `source`, in all runs of the image. Runs the image in `folder` that produced `run` again, with a
// QEMU plugin that this function compiles. Fails with FailedPrecondition if the outputs differ from
// those of `run`, or if the two passes of the program (BoardRun) differ in their number of
// instructions.
absl::StatusOr<BoardProfile> ProfileBoardProgram(const BoardTools& tools, const std::string& folder,
                                                 const std::vector<std::string>& functions,
                                                 const emit::OutputFile& source,
                                                 const BoardRun& run);

// Renders a line for `function`, whose first run used `stack` bytes, and a line for each step. If
// there are several runs, their range of instructions precedes them.
std::string RenderProfile(const BoardProfile& profile, absl::string_view function, uint64_t stack);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_PROFILE_H_
