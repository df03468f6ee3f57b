// Converts the expected outputs of ONNX test data to the layout of the generated function's ports.
#ifndef LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_
#define LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/ir/context.h"
#include "generator/reader/onnx/data_set.h"

namespace lathe::driver {

// Converts the results in `set` to the layout of `got`: pads strings to the same width and, with
// `function`, adds the sizes after each output of dynamic size. Fails with FailedPrecondition if
// types or shapes differ.
absl::StatusOr<std::vector<PartBytes>> ExpectedParts(const onnx::DataSet& set,
                                                     const std::vector<PartBytes>& got,
                                                     const emit::ApiFunction* function = nullptr);

// Returns the types and shapes of the outputs of `function` for `inputs`, without elements. Dynamic
// sizes are taken from `likely`.
std::vector<PartBytes> OutputLayouts(ir::Context& context, const GeneratedModel& model,
                                     const emit::ApiFunction& function,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& likely);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_
