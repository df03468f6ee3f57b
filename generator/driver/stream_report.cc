#include "generator/driver/stream_report.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/program_macs.h"
#include "generator/driver/pipeline.h"
#include "generator/lower/lower.h"

namespace lathe::driver {
namespace {

std::optional<int64_t> MacsOf(ir::Context& context, const StreamedProgram& program,
                              const Target& target, const std::map<std::string, DimRange>& ranges) {
  ir::Module window = program.streamed.window;
  const std::string name = window.globals[program.function].name;
  if (program.options.arithmetic) program.options.arithmetic(window);
  Diagnostics diags;
  const auto prepared = PrepareForLowering(context, window, target, ranges, diags);
  if (!prepared.ok() || diags.has_errors()) return std::nullopt;
  const auto lowered = lower::Lower(context, *prepared, diags);
  if (!lowered.ok() || diags.has_errors()) return std::nullopt;
  const analysis::ProgramMacs macs(*lowered);
  for (int32_t i = 0; i < std::ssize(lowered->routines); ++i) {
    const ir::RoutineId id{i};
    if (lowered->routines[id].name == name) return macs.OfRoutine(id);
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

}  // namespace lathe::driver
