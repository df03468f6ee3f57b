// Compiles the model of a command line, measures it and reports on it, for the verbs with budgets:
// analyze, compile, report.
#ifndef LATHE_DRIVER_CLI_REPORTED_MODEL_H_
#define LATHE_DRIVER_CLI_REPORTED_MODEL_H_

#include <string>

#include "generator/driver/cli/budget.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

struct ReportedModel {
  Budget budget;
  CompiledModel compiled;
  ModelReport report;
  std::string measured_with;  // the compiler command; empty without --cc
};

// Reads the options of budgets and measures, which fail before the model is read, and compiles it.
// Reports the reason if it does not return kExitOk.
ExitCode CompileReported(const Invocation& in, ReportedModel& model);

// Measures the compiled files with --cc and fills `report`.
ExitCode MeasureReported(const Invocation& in, ReportedModel& model);

// Does both.
ExitCode CompileAndMeasure(const Invocation& in, ReportedModel& model);

// Reports each exceeded budget. Returns kExitLimit if there is one.
ExitCode CheckBudgets(const Invocation& in, const ReportedModel& model);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_REPORTED_MODEL_H_
