// Renders the profile of a function: measured ticks and counted instructions of each step.
#ifndef LATHE_DRIVER_VIEW_STEP_PROFILE_H_
#define LATHE_DRIVER_VIEW_STEP_PROFILE_H_

#include <optional>
#include <string>

#include "generator/driver/model_report.h"
#include "generator/driver/validate/count_steps.h"
#include "generator/driver/validate/step_log.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

struct StepProfileView {
  std::string model;
  std::string target;
  std::string board;  // empty without counts
  const RoutineReport* routine = nullptr;
  std::optional<StepLog> log;
  std::optional<StepCounts> counts;
};

// Renders one line for each step that computes, and the sums. Ticks are medians of the runs.
std::string ProfileAsText(const StepProfileView& profile);
nlohmann::ordered_json ProfileAsJson(const StepProfileView& profile);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_STEP_PROFILE_H_
