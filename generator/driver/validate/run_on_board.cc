#include "generator/driver/validate/run_on_board.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/board_profile.h"
#include "generator/driver/validate/board_session.h"
#include "generator/driver/validate/board_stack.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<std::string> RunOnBoard(const ValidatePlace& place, const GeneratedModel& model,
                                       const emit::ApiFunction& function, const std::string& name,
                                       const std::string& folder,
                                       const std::vector<PartBytes>& inputs,
                                       const std::vector<PartBytes>& outputs, std::string* said) {
  LATHE_ASSIGN_OR_RETURN(const BoardSession session,
                         RunBoardSession(place, model, function, name, folder, inputs, outputs));
  const BoardRun& run = session.run;
  if (said == nullptr) return run.outputs[0];
  LATHE_ASSIGN_OR_RETURN(*said, CompareBoardStack(model, function, session.tools, folder, run));
  if (place.profile) {
    // A function that is also called inside the model has a separate body.
    const std::string body =
        absl::StrCat(name, "_", model.program.routines[function.routine].name, "_body");
    LATHE_ASSIGN_OR_RETURN(
        const BoardProfile taken,
        ProfileBoardProgram(session.tools, folder,
                            {body, absl::StrCat(function.function, "_part"), function.function},
                            session.source, run));
    absl::StrAppend(said, RenderProfile(taken, function.function, run.stack));
  }
  return run.outputs[0];
}

}  // namespace lathe::driver
