#include "generator/driver/cli/reported_model.h"

#include <cstdio>
#include <utility>

#include "generator/driver/cli/measure_options.h"

namespace lathe::driver {

ExitCode CompileReported(const Invocation& in, ReportedModel& model) {
  const auto budget = ReadBudget(in.args);
  if (!budget.ok()) return in.report->Usage(budget.status().message());
  model.budget = *budget;
  const auto stack_of = ReadStackOfOptions(in.args);
  if (!stack_of.ok()) return in.report->Usage(stack_of.status().message());
  return CompileModel(in, model.compiled);
}

ExitCode MeasureReported(const Invocation& in, ReportedModel& model) {
  const CompiledModel& compiled = model.compiled;
  auto measures = MeasureModel(in, compiled);
  if (!measures.ok()) return in.report->EnvironmentError(measures.status());
  model.report = MakeModelReport(compiled.model, *compiled.target, *std::move(measures));
  model.measured_with = CompilerCommand(in.args, *compiled.target);
  return kExitOk;
}

ExitCode CompileAndMeasure(const Invocation& in, ReportedModel& model) {
  const ExitCode code = CompileReported(in, model);
  return code == kExitOk ? MeasureReported(in, model) : code;
}

ExitCode CheckBudgets(const Invocation& in, const ReportedModel& model) {
  std::fflush(in.io.out);  // the report precedes the errors where both are one stream
  ExitCode code = kExitOk;
  for (const std::string& exceeded : ExceededBudgets(model.budget, model.report)) {
    code = in.report->Fail(kExitLimit, exceeded);
  }
  return code;
}

}  // namespace lathe::driver
