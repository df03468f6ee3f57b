#include "generator/reader/onnx/propagate_declared.h"

#include <memory>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"

namespace lathe::onnx {
namespace {

constexpr const char* kUnaryShapePreserving[] = {
    "Abs", "Cast", "CastLike",   "Ceil", "Cos",   "Elu",     "Exp",  "Floor", "Identity", "Log",
    "Neg", "Not",  "Reciprocal", "Relu", "Round", "Sigmoid", "Sign", "Sin",   "Sqrt",     "Tanh"};
constexpr const char* kBinaryShapePreserving[] = {"Add", "Div", "Max", "Min", "Mul", "Pow", "Sub"};

bool IsScalarConstant(const Node& node) {
  if (node.op != "Constant" || node.attributes.size() != 1) return false;
  const Attribute& a = node.attributes[0];
  if (a.name == "value_float" || a.name == "value_int") return true;
  return a.tensor != nullptr && a.tensor->dims.empty();
}

// Maps each name to the value with the same shape: itself or another one. Scalars map to "".
class Roots {
 public:
  explicit Roots(const Graph& graph) {
    for (const Tensor& tensor : graph.initializers) {
      if (tensor.dims.empty()) roots_[tensor.name] = "";
    }
    for (const ValueInfo& input : graph.inputs) {
      if (input.type.kind == TypeKind::kTensor && input.type.dims && input.type.dims->empty()) {
        roots_[input.name] = "";
      }
    }
    for (const Node& node : graph.nodes) {
      if (node.outputs.empty()) continue;
      std::string& root = roots_[node.outputs[0]];
      root = IsScalarConstant(node) ? "" : RootOf(node);
    }
  }

  std::string Of(const std::string& name) const {
    const auto found = roots_.find(name);
    return found == roots_.end() ? name : found->second;
  }

 private:
  std::string RootOf(const Node& node) const {
    if (absl::c_linear_search(kUnaryShapePreserving, node.op) && !node.inputs.empty())
      return Of(node.inputs[0]);
    if (!absl::c_linear_search(kBinaryShapePreserving, node.op) || node.inputs.size() != 2)
      return node.outputs[0];
    const std::string a = Of(node.inputs[0]), b = Of(node.inputs[1]);
    if (a == b || b.empty()) return a;
    return a.empty() ? b : node.outputs[0];
  }

  absl::flat_hash_map<std::string, std::string> roots_;
};

}  // namespace

void PropagateDeclared(Scope& scope, const Graph& graph) {
  const Roots roots(graph);
  for (const Node& node : graph.nodes) {
    if (node.outputs.empty() || !node.domain.empty()) continue;
    const auto result = scope.declared.find(node.outputs[0]);
    if (result == scope.declared.end() || !result->second->dims) continue;
    const std::string root = roots.Of(node.outputs[0]);
    if (root.empty() || scope.declared.contains(root)) continue;
    auto type = std::make_shared<Type>(*result->second);
    type->element_type = 0;  // a cast may change it
    scope.declared.emplace(root, type.get());
    scope.own_types.push_back(std::move(type));
  }
}

}  // namespace lathe::onnx
