// Diagnostics as one JSON object, for programs; docs/command-line.md describes its fields.
#ifndef LATHE_DRIVER_RENDER_JSON_H_
#define LATHE_DRIVER_RENDER_JSON_H_

#include <string>

#include "generator/driver/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

std::string RenderJson(const Diagnostics& diags, const ReportOptions& options);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_RENDER_JSON_H_
