// Declares the options of every verb that control the report of diagnostics.
#ifndef LATHE_DRIVER_REPORT_REPORT_OPTIONS_H_
#define LATHE_DRIVER_REPORT_REPORT_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace lathe::driver {

enum class ReportFormat { kHuman, kShort, kJson, kSarif };

struct ReportOptions {
  ReportFormat format = ReportFormat::kHuman;
  bool color = false;
  // Maximal number of listed errors, and of listed warnings; the rest is only counted. 0 is no
  // limit. JSON and SARIF have no limit by default.
  int max_errors = 20;
  bool max_errors_given = false;
  size_t LimitForPrograms() const {
    return max_errors_given && max_errors > 0 ? static_cast<size_t>(max_errors) : SIZE_MAX;
  }
  bool quiet = false;
  bool all_warnings_are_errors = false;
  std::set<std::string> warnings_as_errors;
  std::set<std::string> disabled_warnings;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_REPORT_OPTIONS_H_
