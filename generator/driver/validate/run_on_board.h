// Runs generated code on an emulated board without an operating system.
#ifndef LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_
#define LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

// Compiles and runs `function` of the model `name` in `folder`. Returns the bytes of its outputs
// for `inputs`; the outputs have the sizes of `outputs`. If `said` is not null, it receives the
// board, the stack use and, if `place` requests it, the profile of each step; then the run also
// fails if the stack use exceeds its bound.
absl::StatusOr<std::string> RunOnBoard(const ValidatePlace& place, const GeneratedModel& model,
                                       const emit::ApiFunction& function, const std::string& name,
                                       const std::string& folder,
                                       const std::vector<PartBytes>& inputs,
                                       const std::vector<PartBytes>& outputs, std::string* said);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_ON_BOARD_H_
