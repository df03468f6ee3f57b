// Renders the report on a compiled model as text.
#ifndef LATHE_DRIVER_CLI_RENDER_REPORT_H_
#define LATHE_DRIVER_CLI_RENDER_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// Renders RAM, flash, stack and arithmetic, one per line. For GPUs: workspaces, weights, launches
// and arithmetic. `measured_with` is the compiler command.
std::string RenderTotals(const ModelReport& report, const std::string& measured_with);

// Renders the inputs of a streamed model, and the operations of a step, `macs`, beside those of the
// window.
std::string RenderStream(const StreamReport& report, std::optional<int64_t> macs);

// Renders the steps and the memory of each function, then the totals.
std::string RenderReport(const CompiledModel& compiled, const ModelReport& report,
                         const std::string& measured_with);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RENDER_REPORT_H_
