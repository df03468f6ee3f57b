// What a model may take at most: --max-ram, --max-arena, --max-flash, --max-stack.
#ifndef LATHE_DRIVER_CLI_BUDGET_H_
#define LATHE_DRIVER_CLI_BUDGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

struct Budget {
  std::optional<int64_t> ram;    // arena, instance, and inputs and outputs of one run
  std::optional<int64_t> arena;  // alone
  std::optional<int64_t> flash, stack;
};
// Fails when a value is no size, and for a flash or stack budget without --cc, which measures them.
absl::StatusOr<Budget> ReadBudget(const Arguments& args);

// What is exceeded, each with what is largest in it; empty when all are kept.
std::vector<std::string> Exceeded(const Budget& budget, const ModelReport& report);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_BUDGET_H_
