#include "generator/reader/tflite/convert_edges.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/tflite/format/tensor_types.h"

namespace lathe::tflite {
namespace {

constexpr int kDequantize = 6, kQuantize = 114;

bool IsQuantized(const Tensor& t) {
  const bool small = t.type == kInt8 || t.type == kUInt8 || t.type == kInt16;
  return small && t.quantization.scales.size() == 1 && t.quantization.details == 0;
}

bool HasOneScale(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.quantization.scales == b.quantization.scales &&
         a.quantization.zeros == b.quantization.zeros;
}

// Converts the edges of one subgraph, to whose tensors signatures refer by number.
class Edges {
 public:
  Edges(Subgraph& graph, std::vector<Signature*> signatures)
      : graph_(graph), signatures_(std::move(signatures)) {}

  void MakeFloat() {
    std::vector<Operator> first;
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const int32_t integers = graph_.inputs[i];
      if (!IsQuantized(At(integers))) continue;
      const int32_t real = AddFloat(integers);
      first.push_back(Conversion(kQuantize, real, integers));
      SetInput(i, real);
    }
    graph_.operators.insert(graph_.operators.begin(), first.begin(), first.end());
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const int32_t integers = graph_.outputs[i];
      if (!IsQuantized(At(integers))) continue;
      const int32_t real = AddFloat(integers);
      graph_.operators.push_back(Conversion(kDequantize, integers, real));
      SetOutput(i, real);
    }
  }

  // Returns the names of float inputs and outputs that are not converted.
  std::vector<std::string> MakeInteger() {
    std::vector<std::string> others;
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (At(graph_.outputs[i]).type != kFloat32) continue;
      const Operator* last = ProducerOf(graph_.outputs[i]);
      const bool converts = last != nullptr && last->code == kDequantize &&
                            last->inputs.size() == 1 && IsQuantized(At(last->inputs[0]));
      if (converts) {
        SetOutput(i, last->inputs[0]);
      } else {
        others.push_back(absl::StrCat("the output '", At(graph_.outputs[i]).name, "'"));
      }
    }
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (At(graph_.inputs[i]).type != kFloat32) continue;
      if (const auto integers = OnlyQuantized(graph_.inputs[i])) {
        RemoveConversions(graph_.inputs[i], *integers);
        SetInput(i, *integers);
      } else {
        others.push_back(absl::StrCat("the input '", At(graph_.inputs[i]).name, "'"));
      }
    }
    return others;
  }

 private:
  const Tensor& At(int32_t tensor) const { return graph_.tensors[static_cast<size_t>(tensor)]; }

  int32_t AddFloat(int32_t integers) {
    Tensor real;
    real.name = At(integers).name;
    real.shape = At(integers).shape;
    real.signature = At(integers).signature;
    graph_.tensors.push_back(std::move(real));
    return static_cast<int32_t>(graph_.tensors.size()) - 1;
  }

  static Operator Conversion(int code, int32_t from, int32_t to) {
    Operator op;
    op.code = code;
    op.inputs = {from};
    op.outputs = {to};
    return op;
  }

  void SetInput(size_t i, int32_t tensor) {
    for (Signature* signature : signatures_) Rename(signature->inputs, graph_.inputs[i], tensor);
    graph_.inputs[i] = tensor;
  }
  void SetOutput(size_t i, int32_t tensor) {
    for (Signature* signature : signatures_) Rename(signature->outputs, graph_.outputs[i], tensor);
    graph_.outputs[i] = tensor;
  }
  static void Rename(std::vector<SignatureTensor>& names, int32_t from, int32_t to) {
    for (SignatureTensor& name : names) {
      if (name.tensor == from) name.tensor = to;
    }
  }

  const Operator* ProducerOf(int32_t tensor) const {
    const auto it = absl::c_find_if(graph_.operators, [&](const Operator& op) {
      return absl::c_linear_search(op.outputs, tensor);
    });
    return it == graph_.operators.end() ? nullptr : &*it;
  }

  // Returns the quantized form of `real` if that is all that the subgraph uses of it.
  std::optional<int32_t> OnlyQuantized(int32_t real) const {
    std::optional<int32_t> found;
    if (absl::c_linear_search(graph_.outputs, real)) return std::nullopt;
    for (const Operator& op : graph_.operators) {
      if (!absl::c_linear_search(op.inputs, real)) continue;
      const bool converts =
          op.code == kQuantize && op.outputs.size() == 1 && IsQuantized(At(op.outputs[0]));
      if (!converts) return std::nullopt;
      if (found && !HasOneScale(At(*found), At(op.outputs[0]))) return std::nullopt;
      if (!found) found = op.outputs[0];
    }
    return found;
  }

  // Removes the operators that quantize `real`; `integers` replaces their results.
  void RemoveConversions(int32_t real, int32_t integers) {
    std::vector<int32_t> replaced;
    for (const Operator& op : graph_.operators) {
      if (absl::c_linear_search(op.inputs, real)) replaced.push_back(op.outputs[0]);
    }
    std::erase_if(graph_.operators,
                  [&](const Operator& op) { return absl::c_linear_search(op.inputs, real); });
    const auto replace = [&](std::vector<int32_t>& tensors) {
      for (int32_t& tensor : tensors) {
        if (absl::c_linear_search(replaced, tensor)) tensor = integers;
      }
    };
    for (Operator& op : graph_.operators) replace(op.inputs);
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (absl::c_linear_search(replaced, graph_.outputs[i])) SetOutput(i, integers);
    }
  }

  Subgraph& graph_;
  std::vector<Signature*> signatures_;
};

bool Mentions(const ir::AttrValue& value, int64_t subgraph) {
  if (const auto* number = value.As<int64_t>()) return *number == subgraph;
  const auto* list = value.As<ir::AttrList>();
  return list != nullptr &&
         absl::c_any_of(*list, [&](const ir::AttrValue& item) { return Mentions(item, subgraph); });
}

// Returns whether an operator runs the subgraph. Options with numbers of subgraphs are named
// then_subgraph_index, subgraph, and so on.
bool IsCalled(const Model& model, int64_t subgraph) {
  for (const Subgraph& graph : model.subgraphs) {
    for (const Operator& op : graph.operators) {
      for (const auto& [name, value] : op.options) {
        if (absl::StrContains(name, "subgraph") && Mentions(value, subgraph)) return true;
      }
    }
  }
  return false;
}

}  // namespace

absl::Status ConvertEdges(EdgeTypes types, Model& model) {
  if (types == EdgeTypes::kAsRead || model.subgraphs.empty()) return absl::OkStatus();
  std::map<int64_t, std::vector<Signature*>> exported;  // by subgraph
  for (Signature& signature : model.signatures) exported[signature.subgraph].push_back(&signature);
  if (exported.empty()) exported[0] = {};
  std::vector<std::string> others;
  for (const auto& [subgraph, signatures] : exported) {
    Subgraph& graph = model.subgraphs[static_cast<size_t>(subgraph)];
    if (IsCalled(model, subgraph)) {
      return absl::UnimplementedError(absl::StrCat("--io cannot convert the inputs of subgraph '",
                                                   graph.name, "', which operators run too"));
    }
    Edges edges(graph, signatures);
    if (types == EdgeTypes::kFloat) {
      edges.MakeFloat();
    } else {
      for (std::string& name : edges.MakeInteger()) others.push_back(std::move(name));
    }
  }
  if (others.empty()) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("--io int8 needs inputs that QUANTIZE alone reads, and outputs of DEQUANTIZE; "
                   "the model has ",
                   absl::StrJoin(others, ", ")));
}

}  // namespace lathe::tflite
