// Declares the state of an ONNX import and the functions that import nodes, graphs and tensors.
#ifndef LATHE_READER_ONNX_IMPORT_H_
#define LATHE_READER_ONNX_IMPORT_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/reader/import/program_name.h"
#include "generator/reader/import/short_names.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/model.h"
#include "generator/reader/onnx/term.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/block_builder.h"

namespace lathe::onnx {

using AttributesByName = std::map<std::string, const Attribute*>;

// Symbol table of one graph or function body, with a link to the enclosing one.
struct Scope {
  const Scope* outer = nullptr;
  absl::flat_hash_map<std::string, Term> terms;
  absl::flat_hash_map<std::string, const Type*> declared;
  std::vector<std::shared_ptr<const Type>>
      own_types;  // entries of `declared` that the model does not own
  const Opsets* opsets = nullptr;
  // Attributes of the call whose function body this is; null outside of functions.
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
  std::string path;    // of the model file, for messages
  std::string folder;  // where external data is stored
  Diagnostics& diags;
  transform::BlockBuilder& builder;
  ShortNames names = {};  // of the values of the graph
  // Shape variables by dim_param.
  std::map<std::string, ir::PrimRef> shape_vars = {};
  // Declared bounds of the shape variables.
  absl::flat_hash_map<ir::PrimRef, analysis::Interval> bounds = {};
  int64_t nodes = 0;            // nodes imported so far
  int64_t calls = 0;            // calls of functions that the model defines
  int depth = 0;                // nesting depth of subgraphs and functions
  int64_t batches = 1;          // elements of the batches of the Scans around the node
  bool folding = false;         // the import computes the constant results of one node
  bool has_unimported = false;  // some scope holds a value of a node that could not be imported
  int64_t skipped_nodes = 0;    // nodes skipped because they depend on such a value
  bool as_defined = false;      // import quantized operators exactly as ONNX defines them
  // What remains of the folding budgets of the whole model. A node that exceeds its budget is not
  // folded. Shapes have a budget of their own, so that expensive values cannot exhaust it.
  FoldBudget shapes, values = {kMaxEarlySteps};
};

// Increments the nesting depth during its lifetime.
class Deeper {
 public:
  explicit Deeper(Import& import) : import_(import) { ++import_.depth; }
  ~Deeper() { --import_.depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  Import& import_;
};

// Imports `node` and binds its outputs in `scope`. On failure the error is in `import.diags`.
absl::Status ImportNode(Import& import, Scope& scope, const Node& node);

// Imports the nodes of a body, whose inputs and initializers are in `scope`. Continues after a node
// that fails with the nodes that do not depend on it, and then returns the first error. Stops at
// once after kMaxErrors errors, at a limit, or while a node is folded.
absl::Status ImportNodes(Import& import, Scope& scope, const std::vector<Node>& nodes);

// Adds the initializers and the declared types of a graph to `scope`.
absl::Status EnterGraph(Import& import, Scope& scope, const Graph& graph);

// Imports `graph` as the body of a node, with its inputs bound to `inputs`.
absl::StatusOr<std::vector<Term>> ImportSubgraph(Import& import, const Scope& outer,
                                                 const Graph& graph,
                                                 const std::vector<Term>& inputs);

// Returns the tensor of a term, and creates it if the term has none yet.
ir::Operand Materialize(Import& import, Term& term);

// Returns the value of the term if its tensor is a constant of the module or all its elements are
// known integers.
std::optional<ir::Constant> ConstantOf(Import& import, const Term& term);
// Returns a term with a new constant of the module.
Term TermOf(Import& import, ir::Constant constant);

Location LocationOf(const Import& import, const Node& node);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_IMPORT_H_
