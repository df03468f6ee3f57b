// Counts the instructions of each step of a model with hooks on an emulated board.
#ifndef LATHE_DRIVER_VALIDATE_COUNT_STEPS_H_
#define LATHE_DRIVER_VALIDATE_COUNT_STEPS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

struct StepCounts {
  uint64_t instructions = 0;        // of the whole run
  std::map<int, uint64_t> of_step;  // by the numbers of the hooks
};

// Builds and runs `function` of the model `name` in `folder` and attributes the instructions of
// each line of C to the hook around it. Requires a model generated with hooks.
absl::StatusOr<StepCounts> CountSteps(const ValidatePlace& place, const GeneratedModel& model,
                                      const emit::ApiFunction& function, const std::string& name,
                                      const std::string& folder,
                                      const std::vector<PartBytes>& inputs,
                                      const std::vector<PartBytes>& outputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COUNT_STEPS_H_
