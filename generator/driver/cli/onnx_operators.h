// Renders the table of importable ONNX operators for `lathe ops --from onnx` and
// docs/onnx-operators.md.
#ifndef LATHE_DRIVER_CLI_ONNX_OPERATORS_H_
#define LATHE_DRIVER_CLI_ONNX_OPERATORS_H_

#include <string>

namespace lathe::driver {

std::string OnnxOperatorsAsText();
std::string OnnxOperatorsAsMarkdown();
std::string OnnxOperatorsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_ONNX_OPERATORS_H_
