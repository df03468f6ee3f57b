#include "generator/driver/validate/count_steps.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/validate/board_profile.h"
#include "generator/driver/validate/board_session.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Returns the step whose hooks are around each line of `source`; nullopt outside of steps.
std::vector<std::optional<int>> StepsOfLines(absl::string_view source) {
  std::vector<std::optional<int>> steps;
  std::optional<int> current;
  for (absl::string_view line : absl::StrSplit(source, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    int number = 0;
    if (absl::ConsumePrefix(&line, "LATHE_ON_STEP(")) {
      if (absl::SimpleAtoi(line.substr(0, line.find('u')), &number)) current = number;
    }
    steps.push_back(current);
    if (absl::ConsumePrefix(&line, "LATHE_AFTER_STEP(")) current.reset();
  }
  return steps;
}

}  // namespace

absl::StatusOr<StepCounts> CountSteps(const ValidatePlace& place, const GeneratedModel& model,
                                      const emit::ApiFunction& function, const std::string& name,
                                      const std::string& folder,
                                      const std::vector<PartBytes>& inputs,
                                      const std::vector<PartBytes>& outputs) {
  LATHE_ASSIGN_OR_RETURN(const BoardSession session,
                         RunBoardSession(place, model, function, name, folder, inputs, outputs));
  LATHE_ASSIGN_OR_RETURN(const BoardProfile profile,
                         ProfileBoardProgram(session.tools, folder, {function.function.str()},
                                             session.source, session.run));
  const std::vector<std::optional<int>> steps = StepsOfLines(session.source.text);
  StepCounts counts;
  counts.instructions = profile.instructions;
  for (const StepProfile& step : profile.steps) {
    if (step.line <= 0 || step.line > std::ssize(steps)) continue;
    const std::optional<int> number = steps[static_cast<size_t>(step.line - 1)];
    if (number) counts.of_step[*number] += step.instructions;
  }
  return counts;
}

}  // namespace lathe::driver
