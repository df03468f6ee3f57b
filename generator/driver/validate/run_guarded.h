// Runs a model a second time with guards around its tensors, to report writes outside of buffers
// with their step.
#ifndef LATHE_DRIVER_VALIDATE_RUN_GUARDED_H_
#define LATHE_DRIVER_VALIDATE_RUN_GUARDED_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"

namespace lathe::driver {

// Compiles and runs a function of a model in a folder, and returns its outputs.
using RunModel = std::function<absl::StatusOr<std::string>(
    const GeneratedModel& model, const emit::ApiFunction& function, const std::string& folder)>;

struct GuardedRuns {
  absl::StatusOr<std::string> plain;  // outputs without guards
  // Outputs with guards. nullopt if there was no guarded run, or if it failed.
  std::optional<std::string> guarded;
  std::string why_unguarded;  // set if memory does not suffice for a guarded run
  // FailedPrecondition for an error that only the guarded run shows, such as a write outside of a
  // buffer.
  absl::Status fault;
};

// Returns the exported function for `name`, or null.
const emit::ApiFunction* FindFunction(const GeneratedModel& model, const std::string& name);

// Runs `function` of `model` in `folder`, and the same function of GuardModel(model, name) in a
// subfolder. A model for GPUs has no guarded run, because the emulation checks memory accesses; nor
// has a model whose plain run fails with another error than FailedPrecondition.
GuardedRuns RunGuarded(ir::Context& context, const GeneratedModel& model, const Target& target,
                       const GenerateOptions& options, const emit::ApiFunction& function,
                       absl::string_view name, const std::string& folder, const RunModel& run);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_GUARDED_H_
