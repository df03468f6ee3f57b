// What a run has to say to the user, in the form that was asked for: text, as soon as it is said,
// or one document at the end.
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

// `diags` as the user wants to see them: warnings silenced or made errors, by place, each once.
Diagnostics Prepare(const Diagnostics& diags, const ReportOptions& options);

class JsonReport;
class SarifReport;

class Report {
 public:
  Report(const ReportOptions& options, std::FILE* err);
  ~Report();

  const ReportOptions& options() const { return options_; }

  // Each says what it is given, and returns the exit code that this means.
  ExitCode Add(const Diagnostics& diags, absl::Span<const NotChecked> left_out = {});
  ExitCode Fail(ExitCode code, absl::string_view message);
  ExitCode Usage(absl::string_view message) { return Fail(kExitUsage, message); }
  // Of the machine.
  ExitCode Trouble(const absl::Status& status) {
    return Fail(ExitCodeOf(status), status.message());
  }

  // What was given to a verb beside its program: wrong words are wrong usage, a file that is not
  // what it should be is bad input, one that cannot be read is trouble of the machine.
  ExitCode Refuse(const absl::Status& status);

  // A remark on what is done, unless -q; only in forms that people read.
  void Say(absl::string_view remark);

  // Ends the run: writes the document, if that is the form, which says that the run ends with
  // `code`.
  void Finish(ExitCode code);

 private:
  const ReportOptions options_;
  std::FILE* const err_;
  std::unique_ptr<JsonReport> json_;
  std::unique_ptr<SarifReport> sarif_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_REPORT_H_
