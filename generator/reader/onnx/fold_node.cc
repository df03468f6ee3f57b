#include "generator/reader/onnx/fold_node.h"

#include <algorithm>

#include "generator/interp/interpreter.h"
#include "generator/reader/onnx/format/limits.h"

namespace lathe::onnx {

std::optional<Results> FoldNode(Import& import, const Scope& scope, const Node& node,
                                const std::vector<Term>& inputs) {
  std::vector<ir::Constant> constants;
  uint64_t bytes = 0;
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i].empty()) {
      constants.emplace_back();
      continue;
    }
    std::optional<ir::Constant> constant = ConstantOf(import, inputs[i]);
    if (!constant || inputs[i].format != 0) return std::nullopt;
    bytes += constant->bytes->size();
    if (bytes > kMaxFoldedBytes) return std::nullopt;
    constants.push_back(*std::move(constant));
    any = true;
  }
  FoldBudget& budget = bytes <= kFewBytes ? import.shapes : import.values;
  if (!any || budget.steps <= 1) return std::nullopt;

  Diagnostics ignored;
  transform::BlockBuilder builder(import.context);
  Import inner{import.context, import.model, import.path, import.folder, ignored, builder};
  inner.folding = true;
  Scope own;
  own.outer = &scope;
  own.opsets = scope.opsets;
  own.attributes = scope.attributes;
  for (const std::string& name : node.outputs) {
    const auto declared = scope.declared.find(name);
    if (declared != scope.declared.end()) own.declared.insert(*declared);
  }
  bool built = true;
  builder.Function("main", {}, [&](const transform::Operands&) {
    ir::TupleExpr results;
    for (size_t i = 0; i < constants.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      own.terms.insert_or_assign(node.inputs[i], TermOf(inner, constants[i]));
    }
    built = ImportNode(inner, own, node).ok();
    for (const std::string& name : node.outputs) {
      const auto found = own.terms.find(name);
      if (!built || name.empty() || found == own.terms.end()) continue;
      Term& term = found->second;
      built = (term.operand || term.elements) && term.format == 0;
      if (built) results.fields.push_back(Materialize(inner, term));
    }
    return ir::Operand{std::move(results)};
  });
  if (!built) return std::nullopt;
  const absl::StatusOr<ir::Module> module = builder.Finish();
  if (!module.ok()) return std::nullopt;
  interp::Options options;
  options.max_steps = budget.steps;
  options.max_bytes = kMaxFoldBytes;
  interp::Interpreter interpreter(import.context, *module, std::move(options));
  const auto value = interpreter.Run(*module->Find("main"), {}, ignored);
  budget.steps = interpreter.runtime().steps_left;
  if (!value.ok() || value->AsTuple() == nullptr) return std::nullopt;
  std::vector<Term> results;
  size_t at = 0;
  for (const std::string& name : node.outputs) {
    if (name.empty()) {
      results.emplace_back();
      continue;
    }
    const interp::Tensor* tensor =
        at < value->AsTuple()->size() ? (*value->AsTuple())[at++].AsTensor() : nullptr;
    if (tensor == nullptr || tensor->bytes() > std::min(kMaxFoldedBytes, budget.bytes)) {
      return std::nullopt;
    }
    budget.bytes -= tensor->bytes();
    auto data =
        std::make_shared<std::vector<uint8_t>>(tensor->data(), tensor->data() + tensor->bytes());
    results.push_back(TermOf(import, {tensor->dtype, tensor->shape, std::move(data)}));
  }
  return Results(std::move(results));
}

}  // namespace lathe::onnx
