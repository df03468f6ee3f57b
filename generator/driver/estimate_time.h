// Estimates the time of one inference on a microcontroller from the arithmetic of its steps.
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
  std::string why_not;  // without a range
};

// Returns the range for one run of each exported function of `report`, which is of a model compiled
// for the target of `board`. Has no range for cores without published figures and for steps of
// unknown size.
TimeEstimate EstimateTime(const ModelReport& report, const CommonBoard& board);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_ESTIMATE_TIME_H_
