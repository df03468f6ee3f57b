#include "generator/reader/onnx/import_function.h"

#include "generator/reader/onnx/format/limits.h"
#include "generator/support/status.h"

namespace lathe::onnx {

const Function* FindFunction(const Model& model, const Node& node) {
  for (const Function& f : model.functions) {
    if (f.name == node.op && f.domain == node.domain && f.overload == node.overload) return &f;
  }
  return nullptr;
}

absl::StatusOr<std::vector<Term>> ImportCall(Import& import, const Scope& scope, const Node& node,
                                             const Function& function,
                                             const std::vector<Term>& inputs) {
  if (import.depth >= kMaxDepth) {
    return import.diags.LimitExceeded(LocationOf(import, node), "onnx-limit")
           << "functions are called more than " << kMaxDepth << " deep; recursion is not supported";
  }
  if (++import.calls > kMaxCalls) {
    return import.diags.LimitExceeded(LocationOf(import, node), "onnx-limit")
           << "the model's own functions are called more than " << kMaxCalls << " times";
  }
  const Deeper deeper(import);
  AttributesByName attributes;
  for (const Attribute& a : function.defaults) attributes[a.name] = &a;
  for (const Attribute& a : node.attributes) {
    if (a.ref.empty()) {
      attributes[a.name] = &a;
    } else if (scope.attributes != nullptr) {
      const auto found = scope.attributes->find(a.ref);
      if (found != scope.attributes->end()) attributes[a.name] = found->second;
    }
  }
  Scope own;
  own.opsets = function.opsets.empty() ? scope.opsets : &function.opsets;
  own.attributes = &attributes;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    if (i < inputs.size() && !node.inputs[i].empty()) own.terms[function.inputs[i]] = inputs[i];
  }
  for (const Node& inner : function.nodes) {
    // An input that the call omits is omitted in the body too.
    Node given = inner;
    for (std::string& name : given.inputs) {
      for (size_t i = 0; i < function.inputs.size(); ++i) {
        if (name == function.inputs[i] && !own.terms.contains(name)) name.clear();
      }
    }
    LATHE_RETURN_IF_ERROR(ImportNode(import, own, given));
  }
  std::vector<Term> results;
  for (const std::string& name : function.outputs) {
    const Term* term = own.Find(name);
    results.push_back(term == nullptr ? Term() : *term);
  }
  return results;
}

}  // namespace lathe::onnx
