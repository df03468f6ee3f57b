// Holds the state of importing one subgraph: the operand of each tensor.
#ifndef LATHE_READER_TFLITE_OPS_GRAPH_IMPORT_H_
#define LATHE_READER_TFLITE_OPS_GRAPH_IMPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/reader/import/short_names.h"
#include "generator/reader/tflite/format/model.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/block_builder.h"

namespace lathe::tflite {

// The state that the subgraphs of a model share.
struct ModelImport {
  ir::Context& context;
  const Model& model;
  std::string path;  // of the file, for messages
  Diagnostics& diags;
  transform::BlockBuilder& builder;
  int calls = 0;                  // of subgraphs
  std::set<int64_t> active = {};  // subgraphs that are being imported
  int64_t operators = 0;          // imported so far
  // The current values of variables, which all subgraphs share, by their keys (variables.h). Empty
  // outside of a function.
  std::map<std::string, ir::Operand> variables = {};
};

class GraphImport {
 public:
  GraphImport(ModelImport& model, int64_t subgraph);

  ir::Context& context() { return model_.context; }
  transform::BlockBuilder& builder() { return model_.builder; }
  Diagnostics& diags() { return model_.diags; }
  ModelImport& model() { return model_; }
  const Subgraph& subgraph() const { return graph_; }
  int64_t index() const { return index_; }

  // Binds a tensor of the subgraph.
  void Bind(int32_t tensor, ir::Operand value) {
    values_[static_cast<size_t>(tensor)] = std::move(value);
  }
  // Returns the key of the state of an operator of the subgraph, or of a part of it.
  std::string OperatorKey(const Operator& op, const std::string& part = "") const;
  // Sets a variable tensor of the subgraph.
  void SetVariable(int32_t tensor, ir::Operand value);
  // Returns the operand of a tensor: bound, a constant of the file, or a variable. Fails with a
  // diagnostic.
  absl::StatusOr<ir::Operand> ValueOf(int32_t tensor, const Location& loc);

  // Imports the operators in their order. Continues after an operator that fails with those that do
  // not depend on it, and then returns the first error. Stops at once when the model exceeds a
  // limit.
  absl::Status ImportOperators();
  absl::StatusOr<std::vector<ir::Operand>> Outputs();

  // Imports another subgraph with its inputs bound to `inputs`; returns its outputs.
  absl::StatusOr<std::vector<ir::Operand>> ImportSubgraph(int64_t subgraph,
                                                          const std::vector<ir::Operand>& inputs,
                                                          const Location& loc);

 private:
  absl::Status ImportOperator(const Operator& op, const Location& loc);
  absl::Status CheckTensors(const Operator& op, const Location& loc);
  absl::Status CheckQuantization(const Tensor& tensor, int32_t index, const Location& loc);
  absl::Status BindResult(const Operator& op, size_t k, ir::Operand result, const Location& loc);

  ModelImport& model_;
  const int64_t index_;
  const Subgraph& graph_;
  const ShortNames names_;  // of the tensors of the subgraph
  std::vector<std::optional<ir::Operand>> values_;
  std::vector<bool> read_;    // tensors that operators read
  std::vector<bool> failed_;  // results of operators that could not be imported
};

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_GRAPH_IMPORT_H_
