#include "generator/writer/onnx/remove_unused.h"

#include <algorithm>
#include <set>
#include <string>

namespace lathe::onnx {
namespace {

void CollectUses(const Node& node, std::set<std::string>& used) {
  used.insert(node.inputs.begin(), node.inputs.end());
  for (const Attribute& attribute : node.attributes) {
    if (attribute.graph == nullptr) continue;
    for (const Node& inner : attribute.graph->nodes) CollectUses(inner, used);
    for (const ValueInfo& output : attribute.graph->outputs) used.insert(output.name);
  }
}

}  // namespace

void RemoveUnused(Graph& graph) {
  std::set<std::string> used;
  for (const ValueInfo& output : graph.outputs) used.insert(output.name);
  std::vector<Node> kept;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    const auto is_used = [&](const std::string& name) { return used.contains(name); };
    if (!std::any_of(node.outputs.begin(), node.outputs.end(), is_used)) continue;
    CollectUses(node, used);
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
  const auto is_unused = [&](const Tensor& tensor) { return !used.contains(tensor.name); };
  graph.initializers.erase(
      std::remove_if(graph.initializers.begin(), graph.initializers.end(), is_unused),
      graph.initializers.end());
}

}  // namespace lathe::onnx
