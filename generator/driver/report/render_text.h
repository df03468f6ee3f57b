// Renders diagnostics as text, with source lines and carets or in a short form.
#ifndef LATHE_DRIVER_REPORT_RENDER_TEXT_H_
#define LATHE_DRIVER_REPORT_RENDER_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/report/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// The short form is `file:line:col: severity: message [code]`, which editors parse. Notes are
// separate lines.
std::string RenderText(const Diagnostics& diags, const ReportOptions& options);

// Renders a line for each file that was not checked completely.
std::string RenderNotChecked(absl::Span<const NotChecked> not_checked,
                             const ReportOptions& options);
// Returns the message of such a line.
std::string DescribeNotChecked(const NotChecked& not_checked);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_TEXT_H_
