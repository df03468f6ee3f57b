// Reports diagnostics, errors and progress of a run to the user: immediately as text, or in one
// JSON or SARIF document at the end.
#ifndef LATHE_DRIVER_REPORT_REPORT_H_
#define LATHE_DRIVER_REPORT_REPORT_H_

#include <cstdio>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/report/report_options.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// Applies the warning options to `diags`, sorts them by location, and removes duplicates that have
// a location in a file.
Diagnostics Prepare(const Diagnostics& diags, const ReportOptions& options);

class JsonReport;
class SarifReport;

class Report {
 public:
  Report(const ReportOptions& options, std::FILE* err);
  ~Report();

  const ReportOptions& options() const { return options_; }

  // Reports its argument and returns the exit code for it.
  ExitCode Add(const Diagnostics& diags, absl::Span<const NotChecked> not_checked = {});
  ExitCode Fail(ExitCode code, absl::string_view message);
  ExitCode Usage(absl::string_view message) { return Fail(kExitUsage, message); }
  // Reports an error of the environment.
  ExitCode EnvironmentError(const absl::Status& status) {
    return Fail(ExitCodeOf(status), status.message());
  }

  // Reports an error in an argument of a verb: malformed words as wrong usage, malformed files as
  // bad input, unreadable files as an error of the environment.
  ExitCode InputError(const absl::Status& status);

  // Prints a remark on the progress, in text formats without -q.
  void Remark(absl::string_view remark);

  // Ends the run with `code`. Writes the document in JSON and SARIF formats.
  void Finish(ExitCode code);

 private:
  const ReportOptions options_;
  std::FILE* const err_;
  std::unique_ptr<JsonReport> json_;
  std::unique_ptr<SarifReport> sarif_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_REPORT_H_
