// What the import of one model has in hand: the module that grows, where names are looked up.
#ifndef LATHE_READER_ONNX_IMPORT_H_
#define LATHE_READER_ONNX_IMPORT_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/reader/onnx/limits.h"
#include "generator/reader/onnx/model.h"
#include "generator/reader/onnx/term.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/block_builder.h"

namespace lathe::onnx {

using AttributesByName = std::map<std::string, const Attribute*>;

// The names of one graph or function body, within those around it.
struct Scope {
  const Scope* outer = nullptr;
  absl::flat_hash_map<std::string, Term> terms;
  absl::flat_hash_map<std::string, const Type*> declared;
  std::vector<std::shared_ptr<const Type>> own_types;  // of `declared`, that the model has not
  const Opsets* opsets = nullptr;
  // Of the call of the model's own function this is the body of; null outside.
  const AttributesByName* attributes = nullptr;

  const Term* Find(const std::string& name) const;
};

struct FoldBudget {
  int64_t steps = kMaxFoldSteps;
  uint64_t bytes = kMaxFoldBytes;
};

struct Import {
  ir::Context& context;
  const Model& model;
  std::string path;    // of the file, for messages
  std::string folder;  // where external data lies
  Diagnostics& diags;
  transform::BlockBuilder& builder;
  // Shape variables by dim_param.
  std::map<std::string, ir::PrimRef> shape_vars = {};
  // What they may be, where that is said.
  absl::flat_hash_map<ir::PrimRef, analysis::Interval> bounds = {};
  int64_t nodes = 0;  // imported so far
  int64_t calls = 0;  // of functions of the model
  int depth = 0;      // of subgraphs and functions
  bool folding = false;
  bool has_unimported = false;  // a value in some scope is of a node that could not be imported
  int64_t not_looked_at = 0;    // nodes that depend on such a value
  bool as_defined = false;      // quantised operators round as ONNX says, not as integers do best
  // What the whole model may still fold with; a node that would take more stays one. Shapes have
  // their own, so that a model with much to compute ahead keeps them.
  FoldBudget shapes, values = {kMaxEarlySteps};
};

// Depth of subgraphs and functions, while one is imported.
class Deeper {
 public:
  explicit Deeper(Import& import) : import_(import) { ++import_.depth; }
  ~Deeper() { --import_.depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  Import& import_;
};

// Binds the node's outputs in `scope`. Fails when something is wrong, which is in the diagnostics.
absl::Status ImportNode(Import& import, Scope& scope, const Node& node);

// Imports the nodes of a body, whose inputs and initializers are in `scope`. One that cannot be
// imported does not keep those that do not depend on it from being looked at; it fails then.
absl::Status ImportNodes(Import& import, Scope& scope, const std::vector<Node>& nodes);

// The initializers of a graph, and what it declares of its values.
absl::Status EnterGraph(Import& import, Scope& scope, const Graph& graph);

// A whole graph as the body of a node, its inputs given.
absl::StatusOr<std::vector<Term>> ImportSubgraph(Import& import, const Scope& outer,
                                                 const Graph& graph,
                                                 const std::vector<Term>& inputs);

// A tensor for the term, made when there is none yet.
ir::Operand Materialize(Import& import, Term& term);

// What the term's tensor is, when it is a constant of the module.
std::optional<ir::Constant> ConstantOf(Import& import, const Term& term);
Term TermOf(Import& import, ir::Constant constant);

// A name of the model as one of the program.
std::string ProgramName(const std::string& name);

Location LocationOf(const Import& import, const Node& node);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_IMPORT_H_
