#include "generator/reader/tflite/list_unsupported.h"

#include <map>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/ops/op_rows.h"

namespace lathe::tflite {
namespace {

struct Use {
  std::string reason;
  Location first;
  int count = 0;
};

std::string ReasonOf(const Operator& op, const OpRow* row) {
  if (row != nullptr) return row->reason;
  if (op.code != kCustomOperator) return "TFLite defines no such operator";
  if (absl::StartsWith(op.custom_code, "Flex")) return "a kernel of TensorFlow";
  return "an unknown custom operator";
}

}  // namespace

absl::Status ListUnsupported(ModelImport& model) {
  std::map<std::string, Use> uses;
  for (const Subgraph& graph : model.model.subgraphs) {
    for (size_t i = 0; i < graph.operators.size(); ++i) {
      const Operator& op = graph.operators[i];
      const OpRow* row = FindOpRow(op.code, op.custom_code);
      if (row != nullptr && row->import != nullptr) continue;
      const std::string name = row != nullptr ? row->name
                               : op.code == kCustomOperator
                                   ? absl::StrCat("custom operator '", op.custom_code, "'")
                                   : absl::StrCat("operator ", op.code);
      Use& use = uses[name];
      if (use.count++ > 0) continue;
      use.reason = ReasonOf(op, row);
      const std::string result = op.outputs.empty() || op.outputs[0] < 0
                                     ? graph.name
                                     : graph.tensors[static_cast<size_t>(op.outputs[0])].name;
      use.first = std::make_shared<const ModelNode>(ModelNode{
          model.path, result, row != nullptr ? row->name : op.custom_code, static_cast<int>(i)});
    }
  }
  absl::Status status;
  for (const auto& [name, use] : uses) {
    auto error = model.diags.Unsupported(use.first, "tflite-unsupported-operator");
    error << name << " is not supported: " << use.reason;
    if (use.count > 1) error << " (" << use.count << " uses)";
    error << "; 'lathe ops --from tflite' lists the supported operators";
    status.Update(error);
  }
  return status;
}

}  // namespace lathe::tflite
