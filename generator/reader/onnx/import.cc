#include "generator/reader/onnx/import.h"

#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/fold_node.h"
#include "generator/reader/onnx/fold_shape_ops.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/import_function.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/op_rows.h"
#include "generator/reader/onnx/propagate_declared.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/reader/onnx/specialized_values.h"
#include "generator/reader/onnx/string_moves.h"
#include "generator/reader/onnx/unequal_sizes.h"
#include "generator/reader/onnx/unimported.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Adds the elements of a small constant integer tensor to the term, for shape arithmetic.
void AddKnownElements(Import& import, Term& term) {
  if (term.elements || !term.operand) return;
  const std::optional<ir::Constant> constant = ConstantOf(import, term);
  if (!constant || !constant->dtype.is_integer() || constant->shape.size() > 1) return;
  const int64_t count = constant->shape.empty() ? 1 : constant->shape[0];
  if (count > kMaxShapeArithmeticElements) return;
  Elements elements{constant->dtype, static_cast<int>(constant->shape.size()), {}};
  for (int64_t i = 0; i < count; ++i) {
    const interp::Bits bits =
        interp::ReadElement(constant->bytes->data(), constant->dtype, static_cast<uint64_t>(i));
    elements.values.push_back(import.context.Int(interp::ToInt64(constant->dtype, bits)));
  }
  term.elements = std::move(elements);
}

// Reports the first error of the builder for this node. Later errors are its consequences.
absl::Status TakeErrors(Import& import, size_t before) {
  const std::vector<Diagnostic>& all = import.builder.premature().all();
  for (size_t i = before; i < all.size(); ++i) {
    if (all[i].severity != Severity::kError) continue;
    import.diags.Add(all[i]);
    return absl::InvalidArgumentError(all[i].message);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Term>> InputsOf(Import& import, const Scope& scope, const Node& node) {
  std::vector<Term> inputs;
  for (const std::string& name : node.inputs) {
    Term term;
    if (!name.empty()) {
      const Term* found = scope.Find(name);
      if (found == nullptr) {
        return import.diags.Error(LocationOf(import, node), "onnx-unknown-value")
               << "input '" << name << "' is not the result of a preceding node";
      }
      term = *found;
    }
    inputs.push_back(std::move(term));
  }
  return inputs;
}

// Operators that only move elements, so that they apply to any element type that is stored as
// bytes.
constexpr const char* kMoves[] = {"Concat",
                                  "Expand",
                                  "Flatten",
                                  "Gather",
                                  "Identity",
                                  "Optional",
                                  "OptionalGetElement",
                                  "OptionalHasElement",
                                  "Pad",
                                  "Reshape",
                                  "Shape",
                                  "Size",
                                  "Slice",
                                  "Split",
                                  "Squeeze",
                                  "Tile",
                                  "Transpose",
                                  "TensorScatter",
                                  "Unsqueeze"};
constexpr const char* kReadsFormats[] = {
    "BitCast", "Cast",  "CastLike",      "DequantizeLinear", "GatherBlockQuantized",
    "IsInf",   "IsNaN", "QuantizeLinear"};

constexpr const char* kReadsStrings[] = {
    "Cast",           "CastLike",     "CategoryMapper",     "CenterCropPad",
    "Equal",          "Identity",     "LabelEncoder",       "OneHotEncoder",
    "RegexFullMatch", "StringConcat", "StringNormalizer",   "StringSplit",
    "TensorScatter",  "Optional",     "OptionalGetElement", "OptionalHasElement"};

absl::Status CheckFormats(NodeCall& call, const std::vector<Term>& inputs) {
  for (const Term& input : inputs) {
    if (input.format == 0) continue;
    if (input.format == kStringType) {
      if (absl::c_linear_search(kReadsStrings, call.op()) || MovesElements(call.op())) continue;
      return call.Unsupported()
             << "a tensor of strings is not supported as an input of this operator; supported: "
                "cast, comparison, concatenation, split, lookup and moves of elements";
    }
    if (absl::c_linear_search(kMoves, call.op()) || absl::c_linear_search(kReadsFormats, call.op()))
      continue;
    return call.Unsupported()
           << "a tensor of " << ElementTypeName(input.format)
           << "s is not supported as an input of this operator; supported: cast and quantization";
  }
  return absl::OkStatus();
}

void KeepFormat(const Node& node, const std::vector<Term>& inputs, Results& results) {
  if (inputs.empty() || inputs[0].format == 0 || !absl::c_linear_search(kMoves, node.op)) return;
  if (node.op == "Shape" || node.op == "Size" || node.op == "OptionalHasElement") return;
  for (Term& term : results.terms) term.format = inputs[0].format;
}

// Stores in a tensor of unknown shape the reason for it, for later messages.
void ExplainShape(Import& import, const std::vector<Term>& inputs, Term& term) {
  if (!term.operand || term.why_no_shape != nullptr) return;
  const auto* info = import.builder.InfoOf(*term.operand)->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() != nullptr) return;
  std::string why = DescribeUnequalSizes(import, inputs);
  if (!why.empty()) term.why_no_shape = std::make_shared<const std::string>(std::move(why));
}

absl::Status BindOutputs(Import& import, Scope& scope, const Node& node, Results results) {
  for (size_t k = 0; k < node.outputs.size(); ++k) {
    const std::string& name = node.outputs[k];
    if (name.empty()) continue;
    if (k >= results.terms.size()) {
      return import.diags.Unsupported(LocationOf(import, node), "onnx-unsupported")
             << "output " << k << " ('" << name << "') is not supported; the first "
             << results.terms.size() << " of " << node.op << " are";
    }
    Term& term = results.terms[k];
    AddKnownElements(import, term);
    LATHE_RETURN_IF_ERROR(CheckDeclared(import, scope, node, name, term));
    if (term.operand) {
      const ir::StructInfoRef info = import.builder.InfoOf(*term.operand);
      LATHE_RETURN_IF_ERROR(CheckSize(import, LocationOf(import, node), name, info));
    }
    if (term.operand) import.builder.Name(*term.operand, ProgramName(import.names.Of(name)));
    if (!scope.terms.emplace(name, std::move(term)).second) {
      return import.diags.Error(LocationOf(import, node), "onnx-duplicate-value")
             << "'" << name << "' is already the name of another value";
    }
  }
  return absl::OkStatus();
}

}  // namespace

const Term* Scope::Find(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    const auto found = scope->terms.find(name);
    if (found != scope->terms.end()) return &found->second;
  }
  return nullptr;
}

Location LocationOf(const Import& import, const Node& node) {
  const std::string op = node.domain.empty() ? node.op : absl::StrCat(node.domain, ".", node.op);
  return std::make_shared<const ModelNode>(ModelNode{import.path, node.name, op, node.index});
}

std::optional<ir::Constant> ConstantOf(Import& import, const Term& term) {
  if (term.operand) {
    const auto* id = term.operand->As<ir::ConstantId>();
    if (id != nullptr) return import.builder.ConstantAt(*id);
  }
  if (!term.elements) return std::nullopt;
  const Elements& e = *term.elements;
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(e.dtype, e.values.size()));
  for (size_t i = 0; i < e.values.size(); ++i) {
    const auto* imm = e.values[i]->As<ir::IntImm>();
    if (imm == nullptr) return std::nullopt;
    interp::WriteElement(bytes->data(), e.dtype, i, interp::FromInt64(e.dtype, imm->value));
  }
  std::vector<int64_t> shape;
  if (e.rank == 1) shape.push_back(static_cast<int64_t>(e.values.size()));
  return ir::Constant{e.dtype, std::move(shape), std::move(bytes)};
}

Term TermOf(Import& import, ir::Constant constant) {
  Term term(import.builder.Constant(std::move(constant)));
  AddKnownElements(import, term);
  return term;
}

ir::Operand Materialize(Import& import, Term& term) {
  if (term.operand) return *term.operand;
  LATHE_CHECK(term.elements.has_value(), "tensors have an operand or elements");
  if (const std::optional<ir::Constant> constant = ConstantOf(import, term)) {
    term.operand = import.builder.Constant(*constant);
    return *term.operand;
  }
  const Elements& e = *term.elements;
  transform::BlockBuilder& b = import.builder;
  ir::Operand made = b.Op("relax.shape_to_tensor", {b.Shape(e.values)});
  if (e.rank == 0) made = b.Op("relax.reshape", {made, b.Shape({})});
  if (e.dtype != ir::DType::Int(64)) made = b.Op("relax.astype", {made}, {{"dtype", e.dtype}});
  term.operand = made;
  return made;
}

absl::Status ImportNode(Import& import, Scope& scope, const Node& node) {
  const Location loc = LocationOf(import, node);
  if (++import.nodes > kMaxImportedNodes) {
    return import.diags.LimitExceeded(loc, "onnx-limit")
           << "the model becomes more than " << kMaxImportedNodes << " nodes";
  }
  import.builder.At(loc);
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> inputs, InputsOf(import, scope, node));
  const size_t before = import.builder.premature().all().size();
  if (const Function* function = FindFunction(import.model, node)) {
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportCall(import, scope, node, *function, inputs));
    import.builder.At(loc);
    return BindOutputs(import, scope, node, std::move(results));
  }
  const OpRow* row = FindOpRow(node.domain, node.op);
  if (row == nullptr) {
    return absl::UnimplementedError("an operator that ListUnsupported has reported");
  }
  const auto version = scope.opsets->find(node.domain);
  NodeCall call(import, scope, node, inputs, version == scope.opsets->end() ? 1 : version->second);
  for (int i = 0; i < row->needed; ++i) {
    if (!call.Has(i)) {
      return call.Error() << "input " << i << " is missing; " << node.op << " needs "
                          << row->needed;
    }
  }
  LATHE_RETURN_IF_ERROR(CheckFormats(call, inputs));
  const bool strings = MovesStrings(call);
  std::optional<Results> known;
  if (!strings) known = FoldShapeOps(call);
  if (!known && !strings && row->folds == Folds::kYes && !import.folding) {
    known = FoldNode(import, scope, node, inputs);
  }
  if (known) return BindOutputs(import, scope, node, *std::move(known));
  const int errors = import.diags.error_count();
  absl::StatusOr<Results> results = strings ? ImportStringMove(call, *row) : row->import(call);
  // The node failed because of an invalid input; its other errors are consequences.
  LATHE_RETURN_IF_ERROR(call.status());
  LATHE_RETURN_IF_ERROR(TakeErrors(import, before));
  if (!results.ok()) {
    if (import.diags.error_count() == errors) call.Unsupported() << results.status().message();
    return results.status();
  }
  LATHE_RETURN_IF_ERROR(RequireSpecializedInputs(call, *results));
  KeepFormat(node, inputs, *results);
  for (Term& term : results->terms) ExplainShape(import, inputs, term);
  return BindOutputs(import, scope, node, *std::move(results));
}

absl::Status ImportNodes(Import& import, Scope& scope, const std::vector<Node>& nodes) {
  absl::Status first;
  for (const Node& node : nodes) {
    if (import.has_unimported && DependsOnUnimported(scope, node)) {
      ++import.skipped_nodes;
    } else {
      const absl::Status status = ImportNode(import, scope, node);
      if (status.ok()) continue;
      first.Update(status);
      const bool enough = import.diags.error_count() >= kMaxErrors;
      if (import.folding || enough || absl::IsResourceExhausted(status)) return status;
    }
    LeaveUnimported(import, scope, node);
  }
  return first;
}

absl::Status EnterGraph(Import& import, Scope& scope, const Graph& graph) {
  for (const auto* infos : {&graph.inputs, &graph.values, &graph.outputs}) {
    for (const ValueInfo& info : *infos) scope.declared.emplace(info.name, &info.type);
  }
  PropagateDeclared(scope, graph);
  const auto enter = [&](const std::string& name, int32_t type,
                         absl::StatusOr<ir::Constant> constant) -> absl::Status {
    const Location loc =
        std::make_shared<const ModelNode>(ModelNode{import.path, name, "initializer", 0});
    if (!constant.ok()) {
      const absl::Status& status = constant.status();
      if (absl::IsUnimplemented(status)) {
        return import.diags.Unsupported(loc, "onnx-unsupported")
               << "'" << name << "' " << status.message();
      }
      if (absl::IsResourceExhausted(status)) {
        return import.diags.LimitExceeded(loc, "onnx-limit")
               << "'" << name << "' " << status.message();
      }
      return import.diags.Error(loc, "onnx-bad-tensor") << "'" << name << "' " << status.message();
    }
    Term term = TermOf(import, *std::move(constant));
    if (IsSmallFormat(type)) term.format = type;
    scope.terms.insert_or_assign(name, std::move(term));
    return absl::OkStatus();
  };
  for (const Tensor& tensor : graph.initializers) {
    if (tensor.type == kStringType) {
      Term term;
      term.strings = std::make_shared<const Strings>(Strings{tensor.dims, tensor.strings});
      scope.terms.insert_or_assign(tensor.name, std::move(term));
      continue;
    }
    LATHE_RETURN_IF_ERROR(enter(tensor.name, tensor.type, ReadTensor(tensor, import.folder)));
  }
  for (const auto& [name, sparse] : graph.sparse_initializers) {
    LATHE_RETURN_IF_ERROR(enter(name, sparse.values.type, ReadSparseTensor(sparse, import.folder)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Term>> ImportSubgraph(Import& import, const Scope& outer,
                                                 const Graph& graph,
                                                 const std::vector<Term>& inputs) {
  if (import.depth >= kMaxDepth) {
    return import.diags.LimitExceeded({}, "onnx-limit")
           << "graphs are nested more than " << kMaxDepth << " deep";
  }
  const Deeper deeper(import);
  Scope scope;
  scope.outer = &outer;
  scope.opsets = outer.opsets;
  scope.attributes = outer.attributes;
  LATHE_RETURN_IF_ERROR(EnterGraph(import, scope, graph));
  for (size_t i = 0; i < graph.inputs.size() && i < inputs.size(); ++i) {
    scope.terms.insert_or_assign(graph.inputs[i].name, inputs[i]);
  }
  LATHE_RETURN_IF_ERROR(ImportNodes(import, scope, graph.nodes));
  std::vector<Term> results;
  for (const ValueInfo& output : graph.outputs) {
    const Term* term = scope.Find(output.name);
    if (term == nullptr) {
      return import.diags.Error({}, "onnx-unknown-value")
             << "output '" << output.name << "' of graph '" << graph.name
             << "' is not the result of any node";
    }
    results.push_back(*term);
  }
  return results;
}

}  // namespace lathe::onnx
