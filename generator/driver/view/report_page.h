// Renders the report on a compiled model as one HTML page without external parts.
#ifndef LATHE_DRIVER_VIEW_REPORT_PAGE_H_
#define LATHE_DRIVER_VIEW_REPORT_PAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// Memory that the model uses and the most that it may use.
struct BudgetLine {
  std::string what;             // "RAM of microbit"
  std::optional<int64_t> used;  // nullopt: unbounded
  int64_t limit = 0;
};

// `measured_with` is the compiler command; empty without measures.
absl::StatusOr<std::string> ReportPage(const CompiledModel& compiled, const ModelReport& report,
                                       const std::string& measured_with,
                                       const std::vector<BudgetLine>& budgets);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_REPORT_PAGE_H_
