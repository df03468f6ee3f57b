#include "generator/driver/stream_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/program_macs.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/view/group_digits.h"
#include "generator/lower/lower.h"

namespace lathe::driver {
namespace {

std::optional<int64_t> MacsOf(ir::Context& context, const StreamedProgram& program,
                              const Target& target, const std::map<std::string, DimRange>& ranges) {
  const ir::Module& window = program.streamed.window;
  Diagnostics diags;
  const auto prepared = PrepareForLowering(context, window, target, ranges, diags);
  if (!prepared.ok() || diags.has_errors()) return std::nullopt;
  const auto lowered = lower::Lower(context, *prepared, diags);
  if (!lowered.ok() || diags.has_errors()) return std::nullopt;
  const analysis::ProgramMacs macs(*lowered);
  for (int32_t i = 0; i < std::ssize(lowered->routines); ++i) {
    const ir::RoutineId id{i};
    const bool is_main = lowered->routines[id].name == window.globals[program.function].name;
    if (is_main) return macs.OfRoutine(id);
  }
  return std::nullopt;
}

}  // namespace

StreamReport MakeStreamReport(ir::Context& context, const StreamedProgram& program,
                              const Target& target, const std::map<std::string, DimRange>& ranges) {
  StreamReport report;
  const ir::Module& window = program.streamed.window;
  for (const transform::StreamedInput& input : program.options.inputs) {
    const ir::ValueId param = window.globals[program.function].function()->params[input.param];
    report.inputs.push_back(
        {window.values[param].name, input.time.axis, input.time.step, input.time.length});
  }
  report.pads_at_start = program.streamed.pads;
  report.window_macs = MacsOf(context, program, target, ranges);
  report.from_windows = program.streamed.from_windows;
  return report;
}

std::string DescribeInput(const StreamedInputReport& input) {
  return absl::StrCat("'", input.name, "' has ", input.frames,
                      input.frames == 1 ? " new frame" : " new frames", " along axis ", input.axis,
                      ", of ", input.window);
}

std::string RenderStream(const StreamReport& report, std::optional<int64_t> macs) {
  std::string out = "stream ";
  for (const StreamedInputReport& input : report.inputs) {
    absl::StrAppend(&out, &input == &report.inputs[0] ? "" : "       ", DescribeInput(input), "\n");
  }
  if (report.window_macs && macs) {
    absl::StrAppend(&out, "       ", GroupDigits(*macs), " MACs for each step, ",
                    GroupDigits(*report.window_macs), " for the window\n");
  }
  if (report.pads_at_start) {
    absl::StrAppend(&out, "       layers pad along time before the first frame only\n");
  }
  if (!report.from_windows.empty()) {
    absl::StrAppend(&out, "       from the whole window in each step: ",
                    absl::StrJoin(report.from_windows, ", "), "\n");
  }
  return out;
}

}  // namespace lathe::driver
