// Runs generated code on a system with an operating system: this machine, or a user-mode emulator.
#ifndef LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_
#define LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

// Compiles and runs `function` of the model `name` in `folder`. Returns the bytes of its outputs
// for `inputs`; the outputs have the sizes of `outputs`. If `said` is not null and an emulator runs
// the program, `said` receives the stack use; then the run also fails if it exceeds its bound.
absl::StatusOr<std::string> RunOnSystem(const ValidatePlace& place, const GeneratedModel& model,
                                        const emit::ApiFunction& function, const std::string& name,
                                        const std::string& folder,
                                        const std::vector<PartBytes>& inputs,
                                        const std::vector<PartBytes>& outputs, std::string* said);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_ON_SYSTEM_H_
