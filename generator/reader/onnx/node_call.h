// Provides the importer of an operator with one node: its inputs, attributes and a graph builder.
//
//   absl::StatusOr<Results> ImportCelu(NodeCall& n) {
//     const double alpha = n.Float("alpha", 1.0);
//     return n.Elementwise("celu", {n.In(0)}, [&](ops::ScalarMath& m, const Scalars& x) { ... });
//   }
#ifndef LATHE_READER_ONNX_NODE_CALL_H_
#define LATHE_READER_ONNX_NODE_CALL_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ops/te/te.h"
#include "generator/reader/import/import_builder.h"
#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

using ir::DType;
using ir::Operand;
using ir::PrimRef;
using ops::Dims;
using ops::Indices;
using ops::ScalarMath;
using ops::Te;
using Scalars = ImportBuilder::Scalars;
using Operands = ImportBuilder::Operands;

class NodeCall : public ImportBuilder {
 public:
  NodeCall(Import& import, Scope& scope, const Node& node, std::vector<Term> inputs, int64_t opset);

  const Node& node() const { return node_; }
  const std::string& op() const { return node_.op; }
  int64_t opset() const { return opset_; }
  Import& import() { return import_; }
  Scope& scope() { return scope_; }

  // Inputs. Has(i) is false for an omitted input.
  int inputs() const { return static_cast<int>(inputs_.size()); }
  bool Has(int i) const;
  Term& term(int i) { return inputs_[static_cast<size_t>(i)]; }
  Operand In(int i);  // the input as a tensor; reports an error of the node if it is none
  Operands AllIn();
  // Returns the elements of an input, if they are known at compile time.
  std::optional<std::vector<PrimRef>> ElementsOf(int i);
  // Records the elements of an input for this node and later ones.
  void SetElements(int i, Elements elements);
  std::optional<std::vector<int64_t>> ConstantInts(int i);
  std::optional<std::vector<double>> ConstantNumbers(int i);
  // Returns the elements of an input or, for older operator set versions, of an attribute.
  std::optional<std::vector<int64_t>> IntsOf(int input, const std::string& attribute);

  // Dimensions and dtype of tensors. After an error all dimensions are 1, with a rank that suffices
  // for every importer: the importer runs to its end, and the node then fails.
  const Dims& DimsOf(const Operand& x) override;
  // Returns the length of a list with these dimensions. Reports an error of the node unless the
  // rank is 1.
  PrimRef LengthOf(const Dims& list);
  // Returns the constant length of `list`. Reports an error of the node if it exceeds `most`.
  std::optional<int64_t> CountOf(const Operand& list, int64_t most);

  // Attributes.
  bool HasAttribute(const std::string& name) const { return Find(name) != nullptr; }
  // These return `otherwise`, or nothing, if the attribute is missing. They report an error of the
  // node if it has another type.
  int64_t Int(const std::string& name, int64_t otherwise);
  double Float(const std::string& name, double otherwise);
  std::string String(const std::string& name, const std::string& otherwise);
  std::vector<int64_t> Ints(const std::string& name, std::vector<int64_t> otherwise = {});
  std::vector<double> Floats(const std::string& name, std::vector<double> otherwise = {});
  std::vector<std::string> StringList(const std::string& name);
  const Graph* Subgraph(const std::string& name);
  const Tensor* TensorAttribute(const std::string& name);
  const SparseTensor* SparseAttribute(const std::string& name);

  // Outputs.
  int outputs() const { return static_cast<int>(node_.outputs.size()); }
  bool Wants(int k) const;
  // Returns the type that the model declares for output `k`.
  const Type* DeclaredType(int k) const;
  std::optional<Dims> DeclaredDims(int k);

  // Inputs for whose elements the node is specialized (specialized_values.h).
  struct SpecializedInput {
    Operand input;
    std::vector<int64_t> values;
  };
  void Take(Operand input, std::vector<int64_t> values) {
    taken_.push_back({std::move(input), std::move(values)});
  }
  const std::vector<SpecializedInput>& specialized_inputs() const { return taken_; }

  // Reports a diagnostic at the node.
  DiagnosticBuilder Error() override;
  DiagnosticBuilder Unsupported() override;
  absl::Status NeedRank(const Operand& x, int least);
  // Rejects constant sizes that are negative or larger than a tensor may be.
  absl::Status NeedSizes(const Dims& sizes);

 private:
  const Attribute* Find(const std::string& name) const;
  const Attribute* FindOfType(const std::string& name, AttributeType type);
  std::string Wanted(int i) const;
  // Returns the diagnostics for errors of the node. Consequences of an earlier error are discarded.
  Diagnostics& Sink();
  // Returns true if the builder found an error in what this node emitted.
  bool IsBroken() const { return import_.builder.premature().all().size() > mistakes_; }

  Import& import_;
  Scope& scope_;
  const Node& node_;
  std::vector<Term> inputs_;
  const int64_t opset_;
  const size_t mistakes_;     // errors of the builder before this node
  Diagnostics consequences_;  // consequences of an error that was already reported
  std::vector<SpecializedInput> taken_;
  Dims no_dims_;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_NODE_CALL_H_
