// Provides the writer of an operator with one call: its operands, their structural information, and
// the graph to append nodes to.
//
//   Written WriteSquare(CallWriter& w) { return w.Node("Mul", {w.In(0), w.In(0)}); }
#ifndef LATHE_WRITER_ONNX_CALL_WRITER_H_
#define LATHE_WRITER_ONNX_CALL_WRITER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"
#include "generator/transform/count_uses.h"
#include "generator/writer/onnx/graph_writer.h"

namespace lathe::onnx {

using Dims = std::vector<ir::PrimRef>;

// The values that are visible to a call.
struct Visible {
  absl::flat_hash_map<ir::ValueId, Written> written;
  absl::flat_hash_map<ir::ValueId, const ir::Call*> definitions;  // by calls of operators
  transform::Uses uses;                                           // in the module
};

class CallWriter {
 public:
  CallWriter(GraphWriter& graph, const Visible& values, const ir::Call& call,
             ir::StructInfoRef result)
      : graph_(graph), values_(values), call_(call), result_(result) {}

  GraphWriter& graph() { return graph_; }
  const ir::Call& call() const { return call_; }
  size_t count() const { return call_.args.size(); }

  // Operands, as names of tensors of the graph. A scalar of the program takes the dtype of `like`,
  // or its own. A function that cannot write its operand records a failure and returns an empty
  // name or list.
  bool Has(size_t i) const { return i < call_.args.size(); }
  std::string In(size_t i) { return NameOf(call_.args[i], HintOf(i)); }
  std::string InLike(size_t i, ir::DType like);
  std::string NameOf(const ir::Operand& operand, absl::string_view hint);
  std::vector<ir::Operand> FieldsOf(size_t i);  // of a tuple
  // Returns the operand as a list of int64: a shape, or a tuple of scalars.
  std::string Sizes(size_t i) { return ListOf(ValuesOf(i)); }
  std::vector<ir::PrimRef> ValuesOf(size_t i);
  std::string ListOf(const std::vector<ir::PrimRef>& values);

  // Types.
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const;
  ir::StructInfoRef result() const { return result_; }
  const ir::TensorInfo* TensorOf(const ir::Operand& operand) const;
  ir::DType TypeOf(size_t i) const;
  ir::DType ResultType() const;
  // Returns all dimensions of a tensor if they are constants, otherwise nullopt.
  std::optional<std::vector<int64_t>> KnownDims(const ir::Operand& operand) const;
  // Returns the call of an operator that computes the operand; null if none is visible.
  const ir::Call* DefinitionOf(const ir::Operand& operand) const;
  int UsesOf(const ir::Operand& operand) const;
  // DimsOf, ResultDims and Rank record a failure if the dimensions or the rank are unknown.
  Dims DimsOf(size_t i);
  Dims ResultDims();
  int Rank(size_t i);

  // Nodes.
  Written Node(absl::string_view op, std::vector<std::string> inputs,
               std::vector<Attribute> attributes = {}) {
    return {graph_.Emit(op, std::move(inputs), std::move(attributes)), {}};
  }
  std::string Step(absl::string_view op, std::vector<std::string> inputs,
                   std::vector<Attribute> attributes = {}) {
    return graph_.Emit(op, std::move(inputs), std::move(attributes));
  }
  std::string Number(double value, ir::DType dtype) { return graph_.Number(value, dtype); }
  std::string Transposed(std::string x, const std::vector<int64_t>& axes);

  // Records the reason why the call cannot be written. Later failures are consequences and ignored.
  Written Fail(absl::string_view reason);
  bool failed() const { return !reason_.empty(); }
  const std::string& reason() const { return reason_; }

 private:
  std::string HintOf(size_t i) const;

  GraphWriter& graph_;
  const Visible& values_;
  const ir::Call& call_;
  const ir::StructInfoRef result_;
  std::string reason_;
};

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_CALL_WRITER_H_
