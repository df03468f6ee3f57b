// Diagnostics for people: with source lines and carets, or one line each.
#ifndef LATHE_DRIVER_REPORT_RENDER_TEXT_H_
#define LATHE_DRIVER_REPORT_RENDER_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/report/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// The short form is `file:line:col: severity: message [code]`, which editors know how to read;
// notes are lines of their own.
std::string RenderText(const Diagnostics& diags, const ReportOptions& options);

// A line for each file of which something was not checked.
std::string RenderNotChecked(absl::Span<const NotChecked> left_out, const ReportOptions& options);
// What such a line says.
std::string DescribeNotChecked(const NotChecked& left_out);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_TEXT_H_
