#include "generator/driver/validate/evaluate_steps.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/state_values.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

void AppendParts(std::vector<PartBytes> parts, std::vector<PartBytes>& all) {
  for (PartBytes& part : parts) all.push_back(std::move(part));
}

void AppendNames(const emit::ApiFunction& api, int64_t step, std::vector<std::string>& names) {
  for (const emit::ApiPort& port : api.outputs) {
    names.push_back(step == 0 ? port.name.str() : absl::StrCat(port.name, " of step ", step));
  }
}

}  // namespace

int64_t StepsOf(const GeneratedModel& model, const emit::ApiFunction& function,
                const RunOptions& options) {
  if (VariablesOf(model, function) == 0 || function.has_values()) return 1;
  if (function.inputs.empty() && function.outputs.empty()) return 1;
  for (const emit::ApiPort& port : function.outputs) {
    if (!port.capacity.empty()) return 1;
  }
  return options.steps.value_or(kDefaultSteps);
}

absl::StatusOr<EvaluatedSteps> EvaluateSteps(interp::Interpreter& interpreter,
                                             ir::GlobalId function, const GeneratedModel& model,
                                             const emit::ApiFunction& api,
                                             const RunOptions& options,
                                             const std::vector<PartBytes>& first,
                                             interp::Value returned) {
  const size_t variables = VariablesOf(model, api);
  const auto& budget = interpreter.budget();
  LATHE_ASSIGN_OR_RETURN(StepResult last, SplitState(std::move(returned), variables, budget));
  EvaluatedSteps all{first, PartsOfResult(api, last.result)};
  AppendNames(api, 0, all.names);
  const int64_t steps = StepsOf(model, api, options);
  if (steps > 1) {
    LATHE_ASSIGN_OR_RETURN(StepInputs inputs, StepInputs::Read(interpreter, function, options));
    for (int64_t step = 1; step < steps; ++step) {
      LATHE_ASSIGN_OR_RETURN(std::vector<interp::Value> args, inputs.Of(step));
      args.insert(args.end(), last.state.begin(), last.state.end());
      LATHE_ASSIGN_OR_RETURN(std::vector<PartBytes> parts, PartsOfCall(model, api, args));
      Diagnostics unreported;
      auto next = interpreter.Run(function, std::move(args), unreported);
      if (!next.ok()) break;
      LATHE_ASSIGN_OR_RETURN(last, SplitState(*std::move(next), variables, budget));
      AppendParts(std::move(parts), all.inputs);
      AppendParts(PartsOfResult(api, last.result), all.outputs);
      AppendNames(api, step, all.names);
      ++all.steps;
    }
  }
  for (size_t i = 0; i < variables; ++i) {
    AppendParts(PartsOfValue(last.state[i]), all.outputs);
    all.names.push_back(absl::StrCat("state '", model.program.state[i].name, "'"));
  }
  return all;
}

}  // namespace lathe::driver
