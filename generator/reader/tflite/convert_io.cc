#include "generator/reader/tflite/convert_io.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/tflite/format/tensor_types.h"

namespace lathe::tflite {
namespace {

constexpr int kDequantize = 6, kQuantize = 114;

bool IsQuantized(const Tensor& t) {
  const bool whole = t.type == kInt8 || t.type == kUInt8 || t.type == kInt16;
  return whole && t.quantization.scales.size() == 1 && t.quantization.details == 0;
}

bool HasSameScale(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.quantization.scales == b.quantization.scales &&
         a.quantization.zeros == b.quantization.zeros;
}

// Converts the inputs and outputs of one subgraph. Both functions return why some stay as they are.
class IoConversion {
 public:
  explicit IoConversion(Subgraph& graph) : graph_(graph) {}

  std::vector<std::string> MakeFloat() {
    std::vector<std::string> others;
    std::vector<Operator> first;
    for (int32_t& input : graph_.inputs) {
      if (IsQuantized(At(input))) {
        const int32_t real = AddFloat(input);
        first.push_back(Conversion(kQuantize, real, input));
        input = real;
      } else if (At(input).quantization.is_quantized()) {
        others.push_back(absl::StrCat("the input ", TypeOf(input)));
      }
    }
    graph_.operators.insert(graph_.operators.begin(), first.begin(), first.end());
    for (int32_t& output : graph_.outputs) {
      if (IsQuantized(At(output))) {
        const int32_t real = AddFloat(output);
        graph_.operators.push_back(Conversion(kDequantize, output, real));
        output = real;
      } else if (At(output).quantization.is_quantized()) {
        others.push_back(absl::StrCat("the output ", TypeOf(output)));
      }
    }
    return others;
  }

  std::vector<std::string> MakeInteger(IoTypes types) {
    std::vector<std::string> others;
    for (int32_t& input : graph_.inputs) {
      if (types == IoTypes::kIntegerOutputs || At(input).type != kFloat32) continue;
      if (const auto integers = OnlyQuantized(input)) {
        RemoveConversions(input, *integers);
        input = *integers;
      } else {
        others.push_back(
            absl::StrCat("the input '", At(input).name, "' is not read by one QUANTIZE alone"));
      }
    }
    for (int32_t& output : graph_.outputs) {
      if (types == IoTypes::kIntegerInputs || At(output).type != kFloat32) continue;
      if (const auto integers = DequantizedFrom(output)) {
        output = *integers;
      } else {
        others.push_back(
            absl::StrCat("the output '", At(output).name, "' is not the result of DEQUANTIZE"));
      }
    }
    return others;
  }

 private:
  const Tensor& At(int32_t tensor) const { return graph_.tensors[static_cast<size_t>(tensor)]; }
  // Operators may have no tensor in a place.
  bool IsQuantizedTensor(int32_t tensor) const { return tensor >= 0 && IsQuantized(At(tensor)); }

  std::string TypeOf(int32_t tensor) const {
    return absl::StrCat("'", At(tensor).name, "' of ", TypeName(At(tensor).type),
                        At(tensor).quantization.per_axis() ? " with several scales" : "");
  }

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

  std::optional<int32_t> DequantizedFrom(int32_t real) const {
    for (const Operator& op : graph_.operators) {
      if (!absl::c_linear_search(op.outputs, real)) continue;
      const bool converts =
          op.code == kDequantize && op.inputs.size() == 1 && IsQuantizedTensor(op.inputs[0]);
      return converts ? std::optional(op.inputs[0]) : std::nullopt;
    }
    return std::nullopt;
  }

  // Returns the quantized form of `real` if that is all that the subgraph uses of it.
  std::optional<int32_t> OnlyQuantized(int32_t real) const {
    std::optional<int32_t> found;
    if (absl::c_linear_search(graph_.outputs, real)) return std::nullopt;
    for (const Operator& op : graph_.operators) {
      if (!absl::c_linear_search(op.inputs, real)) continue;
      const bool converts =
          op.code == kQuantize && op.outputs.size() == 1 && IsQuantizedTensor(op.outputs[0]);
      if (!converts) return std::nullopt;
      if (found && !HasSameScale(At(*found), At(op.outputs[0]))) return std::nullopt;
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
    replace(graph_.outputs);
  }

  Subgraph& graph_;
};

bool Mentions(const ir::AttrValue& value, int64_t subgraph) {
  if (const auto* number = value.As<int64_t>()) return *number == subgraph;
  const auto* list = value.As<ir::AttrList>();
  return list != nullptr &&
         absl::c_any_of(*list, [&](const ir::AttrValue& item) { return Mentions(item, subgraph); });
}

// Returns whether an operator runs the subgraph.
bool IsCalled(const Model& model, int64_t subgraph) {
  static constexpr absl::string_view kOptions[] = {
      "subgraph",      "then_subgraph", "else_subgraph", "cond_subgraph", "body_subgraph",
      "init_subgraph", "body",          "comparator",    "decomposition", "branches"};
  for (const Subgraph& graph : model.subgraphs) {
    for (const Operator& op : graph.operators) {
      for (const auto& [name, value] : op.options) {
        if (absl::c_linear_search(kOptions, name) && Mentions(value, subgraph)) return true;
      }
    }
  }
  return false;
}

}  // namespace

absl::Status ConvertIo(IoTypes types, Model& model) {
  if (types == IoTypes::kAsRead) return absl::OkStatus();
  std::set<int64_t> exported;
  for (const Signature& signature : model.signatures) exported.insert(signature.subgraph);
  if (exported.empty()) exported.insert(0);
  std::vector<std::string> others;
  for (const int64_t subgraph : exported) {
    Subgraph& graph = model.subgraphs[static_cast<size_t>(subgraph)];
    if (IsCalled(model, subgraph)) {
      return absl::UnimplementedError(absl::StrCat("--io cannot convert the inputs of subgraph '",
                                                   graph.name, "', which operators run too"));
    }
    IoConversion conversion(graph);
    std::vector<std::string> left =
        types == IoTypes::kFloat ? conversion.MakeFloat() : conversion.MakeInteger(types);
    others.insert(others.end(), left.begin(), left.end());
  }
  if (others.empty()) return absl::OkStatus();
  return absl::UnimplementedError(
      types == IoTypes::kFloat
          ? absl::StrCat("--io float converts int8, uint8 and int16 with one scale, not ",
                         absl::StrJoin(others, ", "))
          : absl::StrCat("--io int8 removes conversions only: ", absl::StrJoin(others, "; "),
                         "; int8-inputs and int8-outputs convert one side alone"));
}

}  // namespace lathe::tflite
