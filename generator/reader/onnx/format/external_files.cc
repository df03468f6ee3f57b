#include "generator/reader/onnx/format/external_files.h"

#include <set>

namespace lathe::onnx {
namespace {

class TensorSearch {
 public:
  void In(const Graph& graph) {
    for (const Tensor& tensor : graph.initializers) Add(tensor);
    for (const auto& [name, sparse] : graph.sparse_initializers) Add(sparse);
    In(graph.nodes);
  }
  void In(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      for (const Attribute& a : node.attributes) {
        if (a.tensor != nullptr) Add(*a.tensor);
        for (const Tensor& tensor : a.tensors) Add(tensor);
        if (a.sparse != nullptr) Add(*a.sparse);
        if (a.graph != nullptr) In(*a.graph);
      }
    }
  }
  const std::set<std::string>& files() const { return files_; }

 private:
  void Add(const Tensor& tensor) {
    const auto location = tensor.external_data.find("location");
    if (tensor.external && location != tensor.external_data.end()) files_.insert(location->second);
  }
  void Add(const SparseTensor& sparse) {
    Add(sparse.values);
    Add(sparse.indices);
  }

  std::set<std::string> files_;
};

}  // namespace

std::vector<std::string> ExternalFilesOf(const Model& model) {
  TensorSearch search;
  search.In(model.graph);
  for (const Function& function : model.functions) search.In(function.nodes);
  return {search.files().begin(), search.files().end()};
}

}  // namespace lathe::onnx
