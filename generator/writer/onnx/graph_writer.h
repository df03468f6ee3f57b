// Collects the nodes, initializers and names of the ONNX graphs that a module is written as.
#ifndef LATHE_WRITER_ONNX_GRAPH_WRITER_H_
#define LATHE_WRITER_ONNX_GRAPH_WRITER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/format/model.h"
#include "generator/writer/onnx/node_types.h"

namespace lathe::onnx {

// A Relax value in the graph: the name of a tensor, or the fields of a tuple.
struct Written {
  std::string name;
  std::vector<Written> fields = {};  // of a tuple, whose name is empty
  bool failed = false;               // it could not be written
};

// The tensor and axis whose length is a shape variable.
struct DimSource {
  std::string tensor;
  int64_t axis = 0;
};

// Attributes of nodes.
Attribute IntAttribute(std::string name, int64_t value);
Attribute FloatAttribute(std::string name, double value);
Attribute TextAttribute(std::string name, std::string value);
Attribute IntsAttribute(std::string name, std::vector<int64_t> values);
Attribute GraphAttribute(std::string name, Graph graph);

class GraphWriter {
 public:
  GraphWriter(ir::Context& context, const ir::Module& module)
      : context_(context), module_(module) {}

  ir::Context& ir() { return context_; }
  const ir::Module& module() const { return module_; }

  // Returns `hint`, with a number if the name is taken.
  std::string Fresh(absl::string_view hint);

  // Notes the dtype of a tensor that is no result of a node.
  void Declare(const std::string& name, ir::DType dtype);

  // Appends a node to the current graph and returns the name of its output.
  std::string Emit(absl::string_view op, std::vector<std::string> inputs,
                   std::vector<Attribute> attributes = {}, absl::string_view hint = "");
  std::vector<std::string> EmitSeveral(absl::string_view op, std::vector<std::string> inputs,
                                       std::vector<Attribute> attributes, size_t outputs,
                                       absl::string_view hint);

  // FindNode returns the node of the current graph whose first output is `name`, or null. Valid
  // until the next node. Remove removes it.
  const Node* FindNode(absl::string_view name) const;
  void Remove(absl::string_view name);

  // Adds an initializer and returns its name. Equal constants of one shape share an initializer.
  std::string Constant(ir::ConstantId id, absl::string_view hint);
  std::string Constant(ir::ConstantId id, std::vector<int64_t> shape, absl::string_view hint);
  std::string Ints(const std::vector<int64_t>& values, absl::string_view hint = "sizes");
  // Returns a tensor of rank 0.
  std::string Number(double value, ir::DType dtype);
  std::string Integer(int64_t value, ir::DType dtype);

  // Sets the name hint for the tensors of the current binding.
  void SetHint(absl::string_view hint) { hint_ = std::string(hint); }
  const std::string& hint() const { return hint_; }

  // Runs `write` with a new current graph, that of a branch, and returns that graph.
  template <typename F>
  Graph InSubgraph(absl::string_view name, F write) {
    Graph inner;
    inner.name = std::string(name);
    std::swap(inner, current_);
    write(current_);
    std::swap(inner, current_);
    return inner;
  }

  // Returns why a node since the last call is none that ONNX defines; empty: all are defined.
  std::string TakeFailure() { return std::exchange(failure_, ""); }

  // Returns the graph, called `name`, with all nodes and initializers.
  Graph Finish(std::string name);

  std::map<ir::PrimRef, DimSource> dim_sources;  // of shape variables
  int64_t opset = kFirstOpset;                   // that the nodes need

 private:
  std::string Initializer(Tensor tensor, ir::DType dtype, absl::string_view hint);
  std::string Scalar(std::string bytes, ir::DType dtype);
  absl::string_view Own(std::string bytes);

  ir::Context& context_;
  const ir::Module& module_;
  Graph current_;
  std::vector<Tensor> initializers_;
  std::deque<std::string> owned_;  // bytes of initializers that are not constants of the module
  absl::flat_hash_map<std::string, int> names_;
  absl::flat_hash_map<std::string, ir::DType> dtypes_;  // of tensors
  std::string failure_;
  std::map<std::pair<ir::ConstantId, std::vector<int64_t>>, std::string> constants_;
  std::map<std::string, std::string> scalars_;  // by type and bytes
  std::string hint_;
};

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_GRAPH_WRITER_H_
