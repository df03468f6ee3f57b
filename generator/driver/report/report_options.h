// How diagnostics reach the user: chosen by options that every verb takes.
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
  // Errors, and as many warnings, that are listed before the rest is only counted; 0 is no limit.
  // Formats for machines have no limit unless one is asked for.
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
