// Generated code on an emulated board without an operating system.
#ifndef LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_
#define LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

// What `function` of the model `name`, compiled and run in `folder`, gives for `inputs`: as many
// bytes as `outputs` are. `said`, where there is one, becomes the board and the stack that the run
// used beside its bound, which it may not exceed, and where `place` asks for it what each step
// took.
absl::StatusOr<std::string> RunOnBoard(const ValidatePlace& place, const GeneratedModel& model,
                                       const emit::ApiFunction& function, const std::string& name,
                                       const std::string& folder,
                                       const std::vector<PartBytes>& inputs,
                                       const std::vector<PartBytes>& outputs, std::string* said);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_
