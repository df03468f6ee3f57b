#include "generator/reader/onnx/format/cut_graph.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/support/closest_name.h"

namespace lathe::onnx {
namespace {

using Names = absl::flat_hash_set<std::string>;

// Adds the names that a node reads, including those that its subgraphs read.
void AddRead(const Node& node, Names& names) {
  names.insert(node.inputs.begin(), node.inputs.end());
  for (const Attribute& a : node.attributes) {
    if (a.graph == nullptr) continue;
    for (const Node& inner : a.graph->nodes) AddRead(inner, names);
    for (const ValueInfo& output : a.graph->outputs) names.insert(output.name);
  }
}

const ValueInfo* Declared(const Graph& graph, const std::string& name) {
  for (const auto* infos : {&graph.outputs, &graph.values, &graph.inputs}) {
    for (const ValueInfo& info : *infos) {
      if (info.name == name) return &info;
    }
  }
  return nullptr;
}

}  // namespace

absl::Status CutGraph(const std::vector<std::string>& outputs, Graph& graph) {
  std::vector<absl::string_view> known;
  for (const ValueInfo& input : graph.inputs) known.push_back(input.name);
  for (const Node& node : graph.nodes) {
    for (const std::string& name : node.outputs) {
      if (!name.empty()) known.push_back(name);
    }
  }
  std::vector<ValueInfo> wanted;
  Names needed;
  for (const std::string& name : outputs) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the model has no value '", name, "' to be its output", DidYouMean(name, known)));
    }
    const ValueInfo* info = Declared(graph, name);
    wanted.push_back(info == nullptr ? ValueInfo{name, {}} : *info);
    needed.insert(name);
  }
  std::vector<Node> nodes;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    if (!std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](const std::string& name) { return needed.contains(name); })) {
      continue;
    }
    AddRead(node, needed);
    nodes.push_back(std::move(node));
  }
  std::reverse(nodes.begin(), nodes.end());
  // Keeps the declarations of outputs that are no longer outputs.
  for (ValueInfo& old : graph.outputs) graph.values.push_back(std::move(old));
  graph.nodes = std::move(nodes);
  graph.outputs = std::move(wanted);
  graph.inputs.erase(std::remove_if(graph.inputs.begin(), graph.inputs.end(),
                                    [&](const ValueInfo& i) { return !needed.contains(i.name); }),
                     graph.inputs.end());
  return absl::OkStatus();
}

}  // namespace lathe::onnx
