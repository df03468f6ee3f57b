// Writes diagnostics to the user, in the form that was asked for.
#ifndef LATHE_DRIVER_REPORT_H_
#define LATHE_DRIVER_REPORT_H_

#include <cstdio>

#include "absl/strings/string_view.h"
#include "generator/driver/exit_code.h"
#include "generator/driver/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// `diags` as the user wants to see them: warnings silenced or made errors, by place, each once.
Diagnostics Prepare(const Diagnostics& diags, const ReportOptions& options);

// Writes `diags` to `err` and returns the exit code they mean.
ExitCode Report(const Diagnostics& diags, const ReportOptions& options, std::FILE* err);

// Writes a trouble of the machine to `err` and returns its exit code.
ExitCode ReportTrouble(const absl::Status& status, const ReportOptions& options, std::FILE* err);

// Writes to `err` what is wrong with the command line, and returns the exit code of that.
ExitCode ReportUsage(absl::string_view message, std::FILE* err);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_H_
