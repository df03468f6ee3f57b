// Holds the values of the variables that a function keeps between runs (ir/state.h).
#ifndef LATHE_DRIVER_VALIDATE_STATE_VALUES_H_
#define LATHE_DRIVER_VALIDATE_STATE_VALUES_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/data/memory_budget.h"
#include "generator/interp/values.h"
#include "generator/ir/module.h"

namespace lathe::driver {

// Returns the number of variables of a function; 0 for a PrimFunc.
size_t StateCount(const ir::Module& module, ir::GlobalId function);

// Returns the variables of `function` before the first run.
absl::StatusOr<std::vector<interp::Value>> FirstState(
    const ir::Module& module, ir::GlobalId function,
    const std::shared_ptr<interp::MemoryBudget>& budget);

// The result of a run: the values for the caller, and the variables for the next run.
struct StepResult {
  interp::Value result;
  std::vector<interp::Value> state;
};

// Splits what a function with `count` variables returns: the tuple (y, v) into y and v, (v,) and v
// itself into () and v. The variables are copies, which later runs may change.
absl::StatusOr<StepResult> SplitState(interp::Value returned, size_t count,
                                      const std::shared_ptr<interp::MemoryBudget>& budget);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_STATE_VALUES_H_
