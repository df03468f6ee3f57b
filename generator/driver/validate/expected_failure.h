// Prepares the run of a program whose evaluation failed: the reason, and buffers for its outputs.
#ifndef LATHE_DRIVER_VALIDATE_EXPECTED_FAILURE_H_
#define LATHE_DRIVER_VALIDATE_EXPECTED_FAILURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/ir/context.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// Returns why the evaluation failed. Returns nullopt for limits and unsupported features of the
// interpreter, which need not make the generated code fail.
std::optional<std::string> FailureReason(const Diagnostics& diags);

// Returns the status with which the compiled program ended in `run`. Fails with FailedPrecondition
// if it ended in another way, although the evaluation failed because of `why`; and with the error
// of the environment if it could not be run.
absl::StatusOr<std::string> StatusOfFailedRun(const absl::StatusOr<std::string>& run,
                                              const std::string& why);

// Reserves outputs of the sizes that follow from the inputs. Fails with ResourceExhausted if an
// output is larger than 4 GiB.
absl::StatusOr<std::vector<PartBytes>> ReserveOutputs(ir::Context& context,
                                                      const GeneratedModel& model,
                                                      const emit::ApiFunction& function,
                                                      const std::vector<PartBytes>& inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EXPECTED_FAILURE_H_
