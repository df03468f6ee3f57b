#include "generator/driver/cli/verb_analyze.h"

#include <string>

#include "generator/driver/cli/budget.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/cli/render_report.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"

namespace lathe::driver {
namespace {

constexpr Option kAnalyzeOptions[] = {
    {"--target", 't', "TARGET", "the target (generic-c99); 'lathe targets' lists them"},
    {"--name", 'n', "NAME", "the C prefix of every symbol (the model's file name)"},
    {"--dim", 'D', "NAME=N", "analyze for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kLikeOption,
    kCcOption,
    kCflagsOption,
    kCflagsOnlyOption,
    kStackOfOption,
    {"--max-ram", 0, "BYTES",
     "end with exit code 4 when arena, inputs, outputs and instance take more: 64K"},
    {"--max-arena", 0, "BYTES", "the same for the arena alone"},
    {"--max-flash", 0, "BYTES", "the same for weights, code and tables"},
    {"--max-stack", 0, "BYTES", "the same for the stack, and when it has no bound"},
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    {"--no-fuse", 0, "", "one kernel for each operator, its result in memory"},
    kPoolOption,
};

ExitCode Analyze(const Invocation& in) {
  const auto budget = ReadBudget(in.args);
  if (!budget.ok()) return in.report->Usage(budget.status().message());
  const auto stack_of = ReadStackOfOptions(in.args);
  if (!stack_of.ok()) return in.report->Usage(stack_of.status().message());
  CompiledModel compiled;
  if (const ExitCode code = CompileModel(in, compiled); code != kExitOk) return code;
  auto measures = MeasureModel(in, compiled);
  if (!measures.ok()) return in.report->EnvironmentError(measures.status());
  const ModelReport report =
      MakeModelReport(compiled.model, *compiled.target, *std::move(measures));
  const std::string with = CompilerCommand(in.args, *compiled.target);
  Print(in.io.out, in.args.Has("--json") ? RenderReportAsJson(compiled, report, with)
                                         : RenderReport(compiled, report, with));
  ExitCode code = kExitOk;
  for (const std::string& exceeded : ExceededBudgets(*budget, report)) {
    code = in.report->Fail(kExitLimit, exceeded);
  }
  return code;
}

}  // namespace

constexpr Verb kVerbAnalyze = {
    .name = "analyze",
    .summary = "report the memory, weights and arithmetic of a program in C",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kAnalyzeOptions,
    .details =
        "Lists the steps of each function, and draws the arena over time. Writes no\n"
        "files. If constructs cannot be compiled, lists all of them and ends with exit code 3.\n"
        "\n"
        "Examples:\n"
        "  lathe analyze model.py\n"
        "  lathe analyze model.py -t cortex-m4f --cc arm-none-eabi-gcc --max-ram 64K\n"
        "  lathe analyze model.py -D n=4 --json\n",
    .run = Analyze,
};

}  // namespace lathe::driver
