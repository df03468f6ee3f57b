// Evaluates a node of com.microsoft or another domain whose inputs are all inputs of a model.
#ifndef LATHE_TESTS_SUPPORT_ONNX_NODE_RESULT_H_
#define LATHE_TESTS_SUPPORT_ONNX_NODE_RESULT_H_

#include <string>
#include <vector>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::testing {

// An input without shape and elements is omitted.
std::string OnnxNodeResult(const std::string& op, const std::vector<OnnxArgument>& inputs,
                           const std::vector<OnnxAttribute>& attributes = {}, int outputs = 1,
                           const std::string& domain = "com.microsoft");

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_ONNX_NODE_RESULT_H_
