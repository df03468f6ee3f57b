// Finds the pages of docs/diagnostics/, which explain the diagnostic codes.
#ifndef LATHE_DRIVER_REPORT_DIAGNOSTIC_PAGE_H_
#define LATHE_DRIVER_REPORT_DIAGNOSTIC_PAGE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::driver {

struct DiagnosticPage {
  absl::string_view code;
  absl::string_view text;  // the whole page, in Markdown
  std::string rule;        // the first paragraph as one line
};

// Sorted by code.
std::vector<absl::string_view> DiagnosticCodes();

std::optional<DiagnosticPage> FindDiagnosticPage(absl::string_view code);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_DIAGNOSTIC_PAGE_H_
