#include "generator/reader/onnx/size_inputs.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/import_function.h"

namespace lathe::onnx {
namespace {

constexpr int32_t kInt32Type = 6;

struct SizeUse {
  absl::string_view op;
  size_t input;
};
// Inputs that determine the shape of a result.
constexpr SizeUse kUses[] = {
    {"AffineGrid", 1},
    {"BlackmanWindow", 0},
    {"CenterCropPad", 1},
    {"Col2Im", 1},
    {"Col2Im", 2},
    {"ConstantOfShape", 0},
    {"DFT", 1},
    {"Expand", 1},
    {"HammingWindow", 0},
    {"HannWindow", 0},
    {"MaxUnpool", 2},
    {"MelWeightMatrix", 0},
    {"MelWeightMatrix", 1},
    {"OneHot", 1},
    {"Pad", 1},
    {"Range", 0},
    {"Range", 1},
    {"Reshape", 1},
    {"Resize", 3},
    {"STFT", 3},
    {"Slice", 1},
    {"Slice", 2},
    {"Split", 1},
    {"Tile", 1},
    {"TopK", 1},
};
// Operators whose results have elements that depend on those of their inputs alone.
constexpr absl::string_view kArithmetic[] = {
    "Add",     "Cast",  "CastLike", "Concat",  "Div",       "Gather",    "Identity",   "Max",
    "Min",     "Mod",   "Mul",      "Neg",     "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum",
    "Reshape", "Slice", "Split",    "Squeeze", "Sub",       "Unsqueeze", "Where"};

// Collects the names of values whose elements are used as sizes, against the order of the nodes.
class SizeUses {
 public:
  explicit SizeUses(const Model& model) : model_(model) {}

  void In(const std::vector<Node>& nodes, int depth = 0) {
    if (depth > kMaxDepth) return;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) Visit(*node, depth);
  }
  bool Has(const std::string& name) const { return names_.count(name) != 0; }

 private:
  void Visit(const Node& node, int depth) {
    if (const Function* f = FindFunction(model_, node)) return VisitCall(node, *f, depth);
    for (const Attribute& a : node.attributes) {
      if (a.graph == nullptr) continue;
      for (size_t k = 0; k < node.outputs.size() && k < a.graph->outputs.size(); ++k) {
        if (Has(node.outputs[k])) names_.insert(a.graph->outputs[k].name);
      }
      In(a.graph->nodes, depth + 1);
    }
    if (!node.domain.empty()) return;
    for (const SizeUse& use : kUses) {
      if (node.op == use.op && use.input < node.inputs.size())
        names_.insert(node.inputs[use.input]);
    }
    const bool wanted = std::any_of(node.outputs.begin(), node.outputs.end(),
                                    [&](const std::string& name) { return Has(name); });
    if (!wanted || std::find(std::begin(kArithmetic), std::end(kArithmetic), node.op) ==
                       std::end(kArithmetic)) {
      return;
    }
    names_.insert(node.inputs.begin(), node.inputs.end());
  }

  // Functions are analyzed once: their inputs are sizes wherever the body uses them so.
  void VisitCall(const Node& node, const Function& f, int depth) {
    auto found = inputs_of_.find(&f);
    if (found == inputs_of_.end()) {
      found = inputs_of_.emplace(&f, std::vector<bool>(f.inputs.size())).first;
      SizeUses body(model_);
      body.inputs_of_ = inputs_of_;
      body.In(f.nodes, depth + 1);
      inputs_of_.insert(body.inputs_of_.begin(), body.inputs_of_.end());
      for (size_t i = 0; i < f.inputs.size(); ++i) found->second[i] = body.Has(f.inputs[i]);
    }
    for (size_t i = 0; i < node.inputs.size() && i < found->second.size(); ++i) {
      if (found->second[i]) names_.insert(node.inputs[i]);
    }
  }

  const Model& model_;
  std::set<std::string> names_;
  std::map<const Function*, std::vector<bool>> inputs_of_;
};

bool IsShortIntegerList(const Type& type) {
  if (type.kind != TypeKind::kTensor || !type.dims || type.dims->size() > 1) return false;
  if (type.element_type != kInt64Type && type.element_type != kInt32Type) return false;
  if (type.dims->empty()) return true;
  const auto length = type.dims->front().value;
  return length && *length >= 1 && *length <= kMaxRank;
}

}  // namespace

std::set<std::string> SizeInputs(const Model& model) {
  SizeUses uses(model);
  uses.In(model.graph.nodes);
  std::set<std::string> names;
  for (const ValueInfo& input : model.graph.inputs) {
    if (uses.Has(input.name) && IsShortIntegerList(input.type)) names.insert(input.name);
  }
  for (const Tensor& tensor : model.graph.initializers) names.erase(tensor.name);
  return names;
}

}  // namespace lathe::onnx
