// What ONNX's test data say that a model gives, as the ports of its generated function carry it.
#ifndef LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_
#define LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/ir/context.h"
#include "generator/reader/onnx/data_set.h"

namespace lathe::driver {

// The results in `set`, for a program that gives what is formed like `got`: strings are as wide
// there, and with `function` sizes stand behind what may be of any size. FailedPrecondition where
// types or shapes are others.
absl::StatusOr<std::vector<PartBytes>> ExpectedParts(const onnx::DataSet& set,
                                                     const std::vector<PartBytes>& got,
                                                     const emit::ApiFunction* function = nullptr);

// What `function` gives for `inputs` but for the elements: types and sizes. The sizes of outputs
// that only the run says are those of `likely`.
std::vector<PartBytes> FormOfOutputs(ir::Context& context, const GeneratedModel& model,
                                     const emit::ApiFunction& function,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& likely);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EXPECTED_PARTS_H_
