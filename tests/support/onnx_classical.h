// Runs one operator of ai.onnx.ml.
#ifndef LATHE_TESTS_SUPPORT_ONNX_CLASSICAL_H_
#define LATHE_TESTS_SUPPORT_ONNX_CLASSICAL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::testing {

// The results of `op` on x, which has `dims`.
inline std::string RunMl(const std::string& op, const std::vector<int64_t>& dims,
                         const std::vector<double>& x, const std::vector<OnnxAttribute>& attributes,
                         int outputs = 1, int type = kFloat) {
  OnnxModel m;
  m.opsets = {{"ai.onnx.ml", 3}};
  m.Input("x", type, {dims.begin(), dims.end()});
  const std::vector<std::string> names =
      outputs == 1 ? std::vector<std::string>{"y"} : std::vector<std::string>{"y", "z"};
  m.Node(op, {"x"}, names, attributes, "ai.onnx.ml");
  for (const std::string& name : names) m.Output(name);
  return OnnxProgram(m.Bytes()).Run({{dims, x, type == kInt64 ? "int64" : "float32"}});
}

// Returns `words` as rows of `width` bytes, padded with zeros.
inline OnnxArgument WordRows(const std::vector<std::string>& words, std::vector<int64_t> shape,
                             size_t width) {
  OnnxArgument x{std::move(shape), {}, "uint8"};
  x.shape.push_back(static_cast<int64_t>(width));
  for (const std::string& word : words) {
    for (size_t i = 0; i < width; ++i) x.elements.push_back(i < word.size() ? word[i] : 0);
  }
  return x;
}

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_ONNX_CLASSICAL_H_
