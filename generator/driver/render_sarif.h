// Diagnostics as SARIF 2.1.0, which code-scanning services and editors read.
#ifndef LATHE_DRIVER_RENDER_SARIF_H_
#define LATHE_DRIVER_RENDER_SARIF_H_

#include <string>

#include "generator/driver/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// One run. A rule for each code that occurs, filled from its page.
std::string RenderSarif(const Diagnostics& diags, const ReportOptions& options);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_RENDER_SARIF_H_
