#include "tests/support/onnx_node_result.h"

#include <utility>

namespace lathe::testing {

std::string OnnxNodeResult(const std::string& op, const std::vector<OnnxArgument>& inputs,
                           const std::vector<OnnxAttribute>& attributes, int outputs,
                           const std::string& domain) {
  constexpr std::pair<const char*, int> kTypes[] = {{"float32", 1}, {"uint8", 2}, {"int8", 3},
                                                    {"int32", 6},   {"int64", 7}, {"bool", 9}};
  OnnxModel model;
  model.opsets = {{"com.microsoft", 1}};
  std::vector<std::string> names, results;
  std::vector<OnnxArgument> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool none = inputs[i].shape.empty() && inputs[i].elements.empty();
    names.push_back(none ? "" : "x" + std::to_string(i));
    if (none) continue;
    int type = 0;
    for (const auto& [name, number] : kTypes) type = inputs[i].dtype == name ? number : type;
    model.Input(names.back(), type,
                std::vector<OnnxDim>(inputs[i].shape.begin(), inputs[i].shape.end()));
    given.push_back(inputs[i]);
  }
  for (int i = 0; i < outputs; ++i) results.push_back("y" + std::to_string(i));
  model.Node(op, names, results, attributes, domain);
  for (const std::string& result : results) model.Output(result);
  return OnnxProgram(model.Bytes()).Run(given);
}

}  // namespace lathe::testing
