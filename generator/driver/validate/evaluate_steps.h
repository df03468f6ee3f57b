// Calls a function with a state several times in the interpreter. The results are the expected
// values of its generated code.
#ifndef LATHE_DRIVER_VALIDATE_EVALUATE_STEPS_H_
#define LATHE_DRIVER_VALIDATE_EVALUATE_STEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/interp/interpreter.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// The steps after which validation and self-tests compare by default.
inline constexpr int64_t kDefaultSteps = 3;

// The inputs and outputs of all steps, one step after the other, and then the values of the state
// after the last step.
struct EvaluatedSteps {
  std::vector<PartBytes> inputs;
  std::vector<PartBytes> outputs;
  int64_t steps = 1;               // that were evaluated
  std::vector<std::string> names;  // of the outputs: "y", "y of step 1", "state 'acc'"
};

// Returns 1 for a function without a state, without inputs and outputs, with boxed values, or with
// results of dynamic size. Otherwise returns the number in `options` or, without one,
// kDefaultSteps.
int64_t StepsOf(const GeneratedModel& model, const emit::ApiFunction& function,
                const RunOptions& options);

// Continues the sequence of which the first step had `first` as arguments and returned `returned`.
// Ends before a step that fails.
absl::StatusOr<EvaluatedSteps> EvaluateSteps(interp::Interpreter& interpreter,
                                             ir::GlobalId function, const GeneratedModel& model,
                                             const emit::ApiFunction& api,
                                             const RunOptions& options,
                                             const std::vector<PartBytes>& first,
                                             interp::Value returned);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EVALUATE_STEPS_H_
