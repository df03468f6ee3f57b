// --outputs: where the graph of an ONNX model is cut.
#ifndef LATHE_DRIVER_OUTPUTS_OPTION_H_
#define LATHE_DRIVER_OUTPUTS_OPTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/verb.h"
#include "generator/support/source.h"

namespace lathe::driver {

inline constexpr Option kOutputsOption = {
    "--outputs", 0, "NAME", "the values of an ONNX model that are wanted: it is cut there"};

// Whether it is read as an ONNX model.
bool IsOnnx(absl::string_view path);

// The values that are wanted, in the order of the options; none without them. Fails when the verb's
// operand is no ONNX model.
absl::StatusOr<std::vector<std::string>> ReadOutputsOption(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OUTPUTS_OPTION_H_
