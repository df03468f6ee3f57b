#include "generator/reader/tflite/exports.h"

#include <cstddef>
#include <string>

namespace lathe::tflite {
namespace {

// A signature may name one tensor several times: for the positions where the subgraph has it.
std::vector<std::string> NamesOf(const Subgraph& graph, const std::vector<int32_t>& tensors,
                                 const std::vector<SignatureTensor>& signature) {
  std::vector<std::string> names;
  std::vector<bool> used(signature.size());
  for (const int32_t tensor : tensors) {
    size_t k = 0;
    while (k < signature.size() && (used[k] || signature[k].tensor != tensor)) ++k;
    if (k < signature.size()) used[k] = true;
    names.push_back(k < signature.size() ? signature[k].name
                                         : graph.tensors[static_cast<size_t>(tensor)].name);
  }
  return names;
}

Export ExportOf(const Model& model, const Signature& signature) {
  const Subgraph& graph = model.subgraphs[static_cast<size_t>(signature.subgraph)];
  return {signature.key, signature.subgraph, NamesOf(graph, graph.inputs, signature.inputs),
          NamesOf(graph, graph.outputs, signature.outputs)};
}

}  // namespace

std::vector<Export> ExportsOf(const Model& model) {
  if (model.signatures.empty()) return {ExportOf(model, Signature())};
  std::vector<Export> exports;
  for (const Signature& signature : model.signatures) exports.push_back(ExportOf(model, signature));
  return exports;
}

}  // namespace lathe::tflite
