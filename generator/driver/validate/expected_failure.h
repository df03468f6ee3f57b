// Runs that fail where the program's evaluation does: why, and what they are given to write into.
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

// Why the evaluation failed; nothing where a limit ended it, or something that is not supported: of
// that, the generated code may know nothing.
std::optional<std::string> WhyItFails(const Diagnostics& diags);

// Reserves the outputs of a run whose values are unknown, as large as its inputs say. Returns
// ResourceExhausted where one of them takes more than 4 GiB: the run would write past it.
absl::StatusOr<std::vector<PartBytes>> RoomForOutputs(ir::Context& context,
                                                      const GeneratedModel& model,
                                                      const emit::ApiFunction& function,
                                                      const std::vector<PartBytes>& inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EXPECTED_FAILURE_H_
