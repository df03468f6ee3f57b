#include "generator/driver/validate/board_session.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<BoardSession> RunBoardSession(const ValidatePlace& place,
                                             const GeneratedModel& model,
                                             const emit::ApiFunction& function,
                                             const std::string& name, const std::string& folder,
                                             const std::vector<PartBytes>& inputs,
                                             const std::vector<PartBytes>& outputs) {
  BoardSession session;
  session.tools = {place.board, place.target, place.cc, place.cflags, place.externs, place.seconds};
  LATHE_ASSIGN_OR_RETURN(const auto files,
                         BoardFiles(model, function, name, inputs, outputs, *place.board));
  LATHE_RETURN_IF_ERROR(BuildBoardProgram(files, session.tools, folder));
  LATHE_ASSIGN_OR_RETURN(session.run, RunBoardProgram(session.tools, folder));
  LATHE_RETURN_IF_ERROR(CheckEqualOutputs(session.run.outputs[0], session.run.outputs[1]));
  for (const emit::OutputFile& file : model.files) {
    if (file.name == absl::StrCat(name, ".c")) session.source = file;
  }
  return session;
}

}  // namespace lathe::driver
