// What a run has to say as SARIF 2.1.0, which code-scanning services and editors read.
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

// One run. A rule for each code that occurs, filled from its page.
class SarifReport {
 public:
  explicit SarifReport(const ReportOptions& options) : limit_(options.LimitForPrograms()) {}

  void Add(const Diagnostics& diags);
  // What no diagnostic says is a notification: of the configuration where the usage is wrong, else
  // of the execution.
  void AddFailure(ExitCode code, absl::string_view message);
  void AddNotChecked(absl::Span<const NotChecked> left_out);
  // The document of a run that ends with `code`.
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
