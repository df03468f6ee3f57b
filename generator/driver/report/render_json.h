// Renders the diagnostics of a run as one JSON object. docs/command-line.md describes its fields.
#ifndef LATHE_DRIVER_REPORT_RENDER_JSON_H_
#define LATHE_DRIVER_REPORT_RENDER_JSON_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/report/report_options.h"
#include "generator/support/diagnostics.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {

class JsonReport {
 public:
  explicit JsonReport(const ReportOptions& options) : limit_(options.LimitForPrograms()) {}

  void Add(const Diagnostics& diags);
  // Adds an error that is not a diagnostic: of the environment, or wrong usage.
  void AddFailure(ExitCode code, absl::string_view message);
  void AddNotChecked(absl::Span<const NotChecked> not_checked);
  // Returns the document of a run with exit code `code`.
  std::string Finish(ExitCode code) const;

 private:
  void List(bool is_error, nlohmann::ordered_json entry);

  size_t limit_;
  int errors_ = 0;
  int warnings_ = 0;
  nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json not_checked_ = nlohmann::ordered_json::array();
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_JSON_H_
