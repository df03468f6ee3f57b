// Reads and checks memory budgets: --max-ram, --max-arena, --max-flash, --max-stack.
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

// They follow --max-ram, whose description states what a verb does when a budget is exceeded.
inline constexpr Option kArenaBudgetOption = {"--max-arena", 0, "BYTES",
                                              "the same for the arena alone"};
inline constexpr Option kFlashBudgetOption = {"--max-flash", 0, "BYTES",
                                              "the same for weights, code and tables"};
inline constexpr Option kStackBudgetOption = {"--max-stack", 0, "BYTES",
                                              "the same for the stack, and when it has no bound"};

struct Budget {
  std::optional<int64_t> ram;    // arena, state, instance, and inputs and outputs of one run
  std::optional<int64_t> arena;  // only the arena
  std::optional<int64_t> flash, stack;
};
// Fails for a malformed size, and for a flash or stack budget without --cc, which measures them.
absl::StatusOr<Budget> ReadBudget(const Arguments& args);

// Returns a message for each exceeded budget, with its largest users.
std::vector<std::string> ExceededBudgets(const Budget& budget, const ModelReport& report);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_BUDGET_H_
