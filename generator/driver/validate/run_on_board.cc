#include "generator/driver/validate/run_on_board.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/board_profile.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/board_stack.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

emit::OutputFile SourceOf(const GeneratedModel& model, const std::string& name) {
  for (const emit::OutputFile& file : model.files) {
    if (file.name == absl::StrCat(name, ".c")) return file;
  }
  return {};
}

}  // namespace

absl::StatusOr<std::string> RunOnBoard(const ValidatePlace& place, const GeneratedModel& model,
                                       const emit::ApiFunction& function, const std::string& name,
                                       const std::string& folder,
                                       const std::vector<PartBytes>& inputs,
                                       const std::vector<PartBytes>& outputs, std::string* said) {
  const BoardTools tools = {place.board,  place.target,  place.cc,
                            place.cflags, place.externs, place.seconds};
  LATHE_ASSIGN_OR_RETURN(const auto files,
                         BoardFiles(model, function, name, inputs, outputs, *place.board));
  LATHE_RETURN_IF_ERROR(BuildBoardProgram(files, tools, folder));
  LATHE_ASSIGN_OR_RETURN(const BoardRun run, RunBoardProgram(tools, folder));
  LATHE_RETURN_IF_ERROR(CheckEqualOutputs(run.outputs[0], run.outputs[1]));
  if (said == nullptr) return run.outputs[0];
  LATHE_ASSIGN_OR_RETURN(*said, CompareBoardStack(model, function, tools, folder, run));
  if (place.profile) {
    // A function that is also called inside the model has a separate body.
    const std::string body =
        absl::StrCat(name, "_", model.program.routines[function.routine].name, "_body");
    LATHE_ASSIGN_OR_RETURN(
        const BoardProfile taken,
        ProfileBoardProgram(tools, folder,
                            {body, absl::StrCat(function.function, "_part"), function.function},
                            SourceOf(model, name), run));
    absl::StrAppend(said, RenderProfile(taken, function.function, run.stack));
  }
  return run.outputs[0];
}

}  // namespace lathe::driver
