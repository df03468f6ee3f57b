// Runs a model a second time with guards around its tensors, so that a write outside of a buffer is
// reported with the step that made it.
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

struct BothRuns {
  absl::StatusOr<std::string> plain;   // outputs of the model as it is shipped
  std::optional<std::string> guarded;  // of the same with guards, where there is room for them
  std::string why_unguarded;           // there is none
  // What the run with guards shows that the other does not, a write outside of a buffer before
  // all: FailedPrecondition.
  absl::Status fault;
};

// The function that computes `name`; null where `model` exports none.
const emit::ApiFunction* FindFunction(const GeneratedModel& model, const std::string& name);

// Runs `function` of `model` in `folder`, and of GuardModel(model), which has one name, in a folder
// below it. Models for GPUs have no guards: their emulation watches what kernels read and write.
BothRuns RunBoth(ir::Context& context, const ir::Module& module, const GeneratedModel& model,
                 const Target& target, const GenerateOptions& options,
                 const emit::ApiFunction& function, absl::string_view name,
                 const std::string& folder, const RunModel& run);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_GUARDED_H_
