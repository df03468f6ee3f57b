// Builds the program of a function for the board of a place and runs it.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_SESSION_H_
#define LATHE_DRIVER_VALIDATE_BOARD_SESSION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

struct BoardSession {
  BoardTools tools;
  emit::OutputFile source;  // the C of the model
  BoardRun run;
};

// Fails as BuildBoardProgram() and RunBoardProgram() do, and if the two runs of the program have
// different outputs.
absl::StatusOr<BoardSession> RunBoardSession(const ValidatePlace& place,
                                             const GeneratedModel& model,
                                             const emit::ApiFunction& function,
                                             const std::string& name, const std::string& folder,
                                             const std::vector<PartBytes>& inputs,
                                             const std::vector<PartBytes>& outputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_SESSION_H_
