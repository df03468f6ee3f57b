// Reads the log of a device that measured the steps of a model by the hooks of `lathe compile
// --hooks`.
#ifndef LATHE_DRIVER_VALIDATE_STEP_LOG_H_
#define LATHE_DRIVER_VALIDATE_STEP_LOG_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

struct StepLog {
  std::map<int, std::vector<uint64_t>> ticks;  // by step: of each of its runs
  int64_t other_lines = 0;                     // lines without a step that are not empty
};

// Reads lines "STEP TICKS" and "step STEP TICKS", in decimal. Counts other lines, which a serial
// port prints as well: those of another form, and two numbers that are not a step below `steps` and
// ticks of at most 64 bits. Fails with InvalidArgument, and the number of the line, for such
// numbers after the word "step", and for a log without steps.
absl::StatusOr<StepLog> ReadStepLog(absl::string_view text, int steps);

// Returns the middle one of `values`, which are not empty. For an even number of values, returns
// the mean of the two in the middle.
double MedianOf(std::vector<uint64_t> values);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_STEP_LOG_H_
