// Runs that fail where the program's evaluation does: why, and what they are given to write into.
#ifndef LATHE_DRIVER_EXPECTED_FAILURE_H_
#define LATHE_DRIVER_EXPECTED_FAILURE_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/port_bytes.h"
#include "generator/ir/context.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// Why the evaluation failed; nothing where a limit ended it, or something that is not supported: of
// that, the generated code may know nothing.
std::optional<std::string> WhyItFails(const Diagnostics& diags);

// Outputs as large as the inputs say that they are, of bytes that mean nothing.
std::vector<PartBytes> RoomForOutputs(ir::Context& context, const GeneratedModel& model,
                                      const emit::ApiFunction& function,
                                      const std::vector<PartBytes>& inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_EXPECTED_FAILURE_H_
