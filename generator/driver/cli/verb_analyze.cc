#include "generator/driver/cli/verb_analyze.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/budget.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/cli/render_peak.h"
#include "generator/driver/cli/render_report.h"
#include "generator/driver/cli/reported_model.h"
#include "generator/driver/explain_peak.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/view/report_json.h"
#include "generator/driver/view/report_table.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kAnalyzeOptions[] = {
    {"--format", 0, "table|json|csv|markdown", "the output format; json is that of --json (table)"},
    {"--table", 0, "layers|memory",
     "what --format csv lists: steps, or tensors in memory (layers)"},
    {"--explain-peak", 0, "", "name the tensors of the peak of the arena, and what would lower it"},
    {"--target", 't', "TARGET", "the target (generic-c99); 'lathe targets' lists them"},
    {"--name", 'n', "NAME", "the C prefix of every symbol (the model's file name)"},
    {"--dim", 'D', "NAME=N", "analyze for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    kCcOption,
    kCflagsOption,
    kCflagsOnlyOption,
    kStackOfOption,
    {"--max-ram", 0, "BYTES",
     "end with exit code 4 when arena, inputs, outputs and instance take more: 64K"},
    kArenaBudgetOption,
    kFlashBudgetOption,
    kStackBudgetOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
};

// Returns the value of --format, or "json" for --json.
absl::StatusOr<std::string> ReadFormat(const Arguments& args) {
  const std::string format(args.Value("--format", args.Has("--json") ? "json" : "table"));
  if (args.Has("--json") && format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("options '--json' and '--format ", format, "' exclude each other"));
  }
  if (args.Has("--table") && format != "csv") {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--table' is for --format csv, which is one table; got --format ", format));
  }
  if (args.Has("--explain-peak") && format != "table" && format != "json") {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--explain-peak' is for --format table and json; got --format ", format));
  }
  return format;
}

std::string Rendered(const std::string& format, const Arguments& args, const ReportedModel& model) {
  const bool explain = args.Has("--explain-peak");
  const CompiledModel& compiled = model.compiled;
  const ModelReport& report = model.report;
  const std::string& with = model.measured_with;
  std::vector<PeakExplanation> peaks;
  if (explain) peaks = ExplainPeaks(compiled.model, report, *compiled.target);
  if (format == "json") {
    nlohmann::ordered_json json = ReportAsJson(compiled, report, with);
    if (explain) json["peaks"] = PeaksAsJson(peaks);
    return JsonText(json);
  }
  if (format == "markdown") return ReportAsMarkdown(compiled, report, RenderTotals(report, with));
  if (format == "csv")
    return args.Value("--table") == "memory" ? BuffersAsCsv(report) : LayersAsCsv(report);
  return absl::StrCat(RenderReport(compiled, report, with),
                      explain ? absl::StrCat("\n", RenderPeaks(peaks, report)) : "");
}

ExitCode Analyze(const Invocation& in) {
  const auto format = ReadFormat(in.args);
  if (!format.ok()) return in.report->Usage(format.status().message());
  ReportedModel model;
  if (const ExitCode code = CompileAndMeasure(in, model); code != kExitOk) return code;
  Print(in.io.out, Rendered(*format, in.args, model));
  const ExitCode code = CheckBudgets(in, model);
  if (code == kExitOk && *format == "table") {
    Print(in.io.out, absl::StrCat("ok: ", model.compiled.name, " can be compiled for ",
                                  model.compiled.target->name, "\n"));
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
        "  lathe analyze model.py -D n=4 --json\n"
        "  lathe analyze model.tflite -t cortex-m4f --explain-peak\n"
        "  lathe analyze model.onnx --format csv --table memory\n",
    .run = Analyze,
};

}  // namespace lathe::driver
