// Estimates the time of an inference on a microcontroller from the arithmetic of its steps.
#ifndef LATHE_DRIVER_ESTIMATE_TIME_H_
#define LATHE_DRIVER_ESTIMATE_TIME_H_

#include <optional>
#include <string>

#include "generator/driver/model_report.h"
#include "generator/target/common_boards.h"

namespace lathe::driver {

struct TimeRange {
  double low_ms = 0;
  double high_ms = 0;
};

struct TimeEstimate {
  std::optional<TimeRange> range;
  std::string function;  // the exported function of the range, or of the reason; may be empty
  std::string why_not;   // the reason why there is no range; empty with a range
};

// Returns the time of one call of the exported function that takes longest. A routine counts each
// time it is called. The range covers the deviation of networks from the published figures, and
// each branch from its smaller to its larger side. `report` describes a model that is compiled for
// the target of `board`.
//
// Returns a reason and no range if the core of the board has no published figures, if no function
// is exported, or if the work of an exported function is unknown: it depends on sizes or data,
// routines loop or call themselves, or external functions are called.
TimeEstimate EstimateTime(const ModelReport& report, const CommonBoard& board);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_ESTIMATE_TIME_H_
