// Generated code on a system with files and memory: this one, or one that an emulator stands in
// for.
#ifndef LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_
#define LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

// What `function` of the model `name`, compiled and run in `folder`, gives for `inputs`: as many
// bytes as `outputs` are.
absl::StatusOr<std::string> RunOnSystem(const ValidatePlace& place, const GeneratedModel& model,
                                        const emit::ApiFunction& function, const std::string& name,
                                        const std::string& folder,
                                        const std::vector<PartBytes>& inputs,
                                        const std::vector<PartBytes>& outputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_
