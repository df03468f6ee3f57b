// A report on a compiled model as text and as JSON.
#ifndef LATHE_DRIVER_CLI_RENDER_REPORT_H_
#define LATHE_DRIVER_CLI_RENDER_REPORT_H_

#include <string>

#include "generator/driver/make_model.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// 22608 as "22 608".
std::string WithBlanks(int64_t number);

// RAM, flash, stack and arithmetic, a line each; of a GPU its workspaces, weights, launches and
// arithmetic. `measured_with` is a compiler's command.
std::string RenderTotals(const ModelReport& report, const std::string& measured_with);

// Those, after a table of the steps of each function and a drawing of its memory.
std::string RenderReport(const MadeModel& made, const ModelReport& report,
                         const std::string& measured_with);
std::string RenderReportAsJson(const MadeModel& made, const ModelReport& report,
                               const std::string& measured_with);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RENDER_REPORT_H_
