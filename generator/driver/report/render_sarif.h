// Renders the diagnostics of a run as SARIF 2.1.0, for code-scanning services and editors.
#ifndef LATHE_DRIVER_REPORT_RENDER_SARIF_H_
#define LATHE_DRIVER_REPORT_RENDER_SARIF_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/report/report_options.h"
#include "generator/support/diagnostics.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {

// Writes one SARIF run, with a rule for each reported code, filled from its page.
class SarifReport {
 public:
  explicit SarifReport(const ReportOptions& options) : limit_(options.LimitForPrograms()) {}

  void Add(const Diagnostics& diags);
  // Adds an error that is not a diagnostic as a notification: of the configuration for wrong usage,
  // of the execution otherwise.
  void AddFailure(ExitCode code, absl::string_view message);
  void AddNotChecked(absl::Span<const NotChecked> not_checked);
  // Returns the document of a run with exit code `code`.
  std::string Finish(ExitCode code) const;

 private:
  size_t limit_;
  std::map<std::string, size_t> rule_of_;
  nlohmann::ordered_json rules_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  bool failed_ = false;
  nlohmann::ordered_json execution_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json configuration_ = nlohmann::ordered_json::array();
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_SARIF_H_
