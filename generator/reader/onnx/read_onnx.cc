#include "generator/reader/onnx/read_onnx.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/format/cut_graph.h"
#include "generator/reader/onnx/format/decode_model.h"
#include "generator/reader/onnx/format/external_files.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/import.h"
#include "generator/reader/onnx/input_info.h"
#include "generator/reader/onnx/list_unsupported.h"
#include "generator/reader/onnx/size_inputs.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/reader/onnx/symbolic_sizes.h"
#include "generator/reader/onnx/unimported.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// What the import knows of the elements of the inputs that determine shapes (size_inputs.h).
enum class SizeElements { kNothing, kVariables, kValues };

std::vector<absl::string_view> ResultNames(const Graph& graph) {
  std::vector<absl::string_view> names;
  for (const Node& node : graph.nodes) {
    names.insert(names.end(), node.outputs.begin(), node.outputs.end());
  }
  return names;
}

class Reading {
 public:
  Reading(ir::Context& context, const Model& model, const SourceFile& file, Diagnostics& diags,
          const ReadOptions& options, SizeElements size_elements = SizeElements::kNothing)
      : builder_(context),
        import_{context,
                model,
                std::string(file.path()),
                std::filesystem::path(std::string(file.path())).parent_path().string(),
                found_,
                builder_,
                ShortNames(ResultNames(model.graph))},
        diags_(diags),
        graph_(model.graph),
        options_(options),
        shapes_(options.shapes),
        inputs_(import_, options, Place()) {
    if (size_elements == SizeElements::kNothing) return;
    for (const std::string& name : SizeInputs(model)) {
      const auto values = shapes_.values.find(name);
      const bool has_values = values != shapes_.values.end();
      if (size_elements == SizeElements::kVariables) {
        sizes_.emplace(name, std::vector<int64_t>());
      } else if (has_values) {
        sizes_.emplace(name, values->second);
      }
    }
  }

  // Returns false if another reading would know no more than that without elements of inputs.
  bool knows_sizes() const { return !sizes_.empty(); }

  absl::StatusOr<ir::Module> Run() {
    absl::StatusOr<ir::Module> module = ImportModel();
    GroupDiagnostics(import_, found_, diags_);
    return module;
  }

 private:
  absl::StatusOr<ir::Module> ImportModel() {
    import_.as_defined = options_.as_defined;
    LATHE_RETURN_IF_ERROR(CheckVersions());
    const absl::Status listed = ListUnsupported(import_);
    scope_.opsets = &import_.model.opsets;
    std::vector<transform::BlockBuilder::Param> params;
    LATHE_RETURN_IF_ERROR(EnterGraph(import_, scope_, graph_));
    inputs_.BindSequenceDims(graph_);
    std::set<std::string> seen;
    for (const ValueInfo& input : graph_.inputs) {
      if (!seen.insert(input.name).second) {
        return import_.diags.Error(Place(), "onnx-duplicate-value")
               << "more than one input has the name '" << input.name << "'";
      }
      if (scope_.terms.contains(input.name)) continue;  // an initializer
      if (shapes_.empty.count(input.name) != 0) {
        Term none;
        none.none = true;
        scope_.terms.emplace(input.name, std::move(none));
        continue;
      }
      if (input.type.kind == TypeKind::kMap) {
        LATHE_RETURN_IF_ERROR(AddMap(input, params));
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(const ir::StructInfoRef info, inputs_.Of(input.name, input.type));
      LATHE_RETURN_IF_ERROR(CheckSize(import_, Place(), input.name, info));
      params.push_back({ProgramName(input.name), info});
      names_.push_back(&input);
    }
    absl::Status status;
    builder_.Function("main", params, [&](const transform::Operands& in) {
      absl::StatusOr<ir::Operand> result = Body(in);
      status = result.status();
      return result.ok() ? *result : ir::Operand{ir::TupleExpr{}};
    });
    LATHE_RETURN_IF_ERROR(listed);
    LATHE_RETURN_IF_ERROR(status);
    absl::StatusOr<ir::Module> module = builder_.Finish();
    if (module.ok() && has_labels_) {
      module->globals[*module->Find("main")].function()->attrs["labels"] = labels_;
    }
    if (!module.ok()) {
      for (const Diagnostic& d : builder_.diags().all()) import_.diags.Add(d);
    }
    return module;
  }

  Location Place() const {
    return std::make_shared<const ModelNode>(ModelNode{import_.path, graph_.name, "graph", 0});
  }

  absl::Status CheckVersions() {
    const Model& model = import_.model;
    if (model.ir_version < kFirstIrVersion || model.ir_version > kLastIrVersion) {
      return import_.diags.Unsupported(Place(), "onnx-version")
             << "the model is of the unsupported IR version " << model.ir_version << "; "
             << kFirstIrVersion << " to " << kLastIrVersion << " are supported";
    }
    if (model.opsets.empty()) {
      return import_.diags.Error(Place(), "onnx-version")
             << "the model declares no operator set version";
    }
    for (const auto& [domain, version] : model.opsets) {
      const int64_t last = domain.empty() ? kLastOpset : domain == "ai.onnx.ml" ? kLastMlOpset : 0;
      if (last != 0 && (version < 1 || version > last)) {
        return import_.diags.Unsupported(Place(), "onnx-version")
               << "unsupported version " << version << " of the operators of '"
               << (domain.empty() ? "ai.onnx" : domain) << "'; supported: 1 to " << last;
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddMap(const ValueInfo& input, std::vector<transform::BlockBuilder::Param>& params) {
    LATHE_ASSIGN_OR_RETURN(const std::vector<transform::BlockBuilder::Param> both,
                           inputs_.OfMap(input));
    params.insert(params.end(), both.begin(), both.end());
    names_.insert(names_.end(), both.size(), &input);
    return absl::OkStatus();
  }

  // Binds the map whose keys are parameter `i`, and whose values are the next one.
  void BindMap(const ValueInfo& input, const transform::Operands& in, size_t i) {
    std::vector<Term> parts = {Term(in[i]), Term(in[i + 1])};
    if (input.type.element_type == kStringType) parts[0].format = kStringType;
    if (input.type.element->element_type == kStringType) parts[1].format = kStringType;
    Term term;
    term.map = std::make_shared<const std::vector<Term>>(std::move(parts));
    scope_.terms[input.name] = std::move(term);
  }

  absl::StatusOr<ir::Operand> Body(const transform::Operands& in) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (names_[i]->type.kind == TypeKind::kMap) {
        BindMap(*names_[i], in, i);
        ++i;  // its values are the next parameter
        continue;
      }
      Term term(in[i]);
      if (const auto* tuple = builder_.InfoOf(in[i])->As<ir::TupleInfo>()) {
        std::vector<Term> items;
        for (size_t k = 0; k < tuple->fields.size(); ++k) {
          items.emplace_back(builder_.Field(in[i], static_cast<int>(k)));
        }
        term = Term::OfSequence(std::move(items));
      }
      const int32_t type = names_[i]->type.element_type;
      if (IsSmallFormat(type) || type == kStringType) term.format = type;
      const auto specialized = shapes_.values.find(names_[i]->name);
      if (specialized != shapes_.values.end()) {
        term.specialized = std::make_shared<const std::vector<int64_t>>(specialized->second);
      }
      if (const auto sizes = sizes_.find(names_[i]->name); sizes != sizes_.end()) {
        BindSizes(sizes->second, term);
      }
      scope_.terms[names_[i]->name] = std::move(term);
    }
    LATHE_RETURN_IF_ERROR(ImportNodes(import_, scope_, graph_.nodes));
    builder_.At(Place());
    std::vector<ir::Operand> outputs;
    if (options_.every_value != nullptr) return EveryValue();
    for (const ValueInfo& output : graph_.outputs) {
      const auto found = scope_.terms.find(output.name);
      if (found == scope_.terms.end()) {
        return import_.diags.Error(Place(), "onnx-unknown-value")
               << "output '" << output.name << "' is not the result of any node";
      }
      const auto keys = found->second.keys;
      labels_.push_back(keys == nullptr ? ir::AttrValue()
                                        : ir::AttrValue(ir::AttrList{std::string("axis"), *keys}));
      has_labels_ = has_labels_ || keys != nullptr;
      LATHE_ASSIGN_OR_RETURN(ir::Operand value, ValueOf(output.name, found->second));
      outputs.push_back(std::move(value));
    }
    if (outputs.empty()) {
      return import_.diags.Error(Place(), "onnx-unknown-value") << "the graph has no outputs";
    }
    return outputs.size() == 1 ? outputs[0] : transform::BlockBuilder::Tuple(std::move(outputs));
  }

  // Gives the elements of an input as new shape variables, or as the given values. The run compares
  // the input with these.
  void BindSizes(const std::vector<int64_t>& values, Term& term) {
    const auto* info = builder_.InfoOf(*term.operand)->As<ir::TensorInfo>();
    const bool scalar = info->dims()->empty();
    const auto* length = scalar ? nullptr : (*info->dims())[0]->As<ir::IntImm>();
    const int64_t count = length == nullptr ? 1 : length->value;
    std::vector<ir::PrimRef> sizes;
    for (int64_t k = 0; k < count; ++k) {
      const bool known = k < std::ssize(values);
      sizes.push_back(known ? import_.context.Int(values[static_cast<size_t>(k)])
                            : builder_.ShapeVar(absl::StrCat("size_", k)));
    }
    ir::Operand list = *term.operand;
    if (scalar)
      list = builder_.Op("relax.reshape", {list, builder_.Shape({import_.context.Int(1)})});
    if (info->dtype != ir::DType::Int(64)) {
      list = builder_.Op("relax.astype", {list}, {{"dtype", ir::DType::Int(64)}});
    }
    builder_.MatchCast(builder_.Op("relax.tensor_to_shape", {list}), import_.context.Shape(sizes));
    term.elements = Elements{info->dtype, scalar ? 0 : 1, std::move(sizes)};
    if (!values.empty()) term.operand.reset();
  }

  // Constants and symbolic shapes are not listed as values.
  ir::Operand EveryValue() {
    std::vector<ir::Operand> values;
    for (const Node& node : graph_.nodes) {
      for (const std::string& name : node.outputs) {
        const auto found = scope_.terms.find(name);
        if (found == scope_.terms.end() || !found->second.operand) continue;
        const ir::Operand& value = *found->second.operand;
        if (value.As<ir::ValueId>() == nullptr) continue;
        if (builder_.InfoOf(value)->As<ir::TensorInfo>() == nullptr) continue;
        options_.every_value->push_back({name, node.name, node.op, node.index});
        values.push_back(value);
      }
    }
    return transform::BlockBuilder::Tuple(std::move(values));
  }

  // Converts a sequence to a tuple of its items.
  absl::StatusOr<ir::Operand> ValueOf(const std::string& name, Term& term) {
    if (term.operand || term.elements) {
      const ir::Operand value = Materialize(import_, term);
      if (value.As<ir::ValueId>() != nullptr) return value;
      return builder_.Emit(value, ProgramName(name));
    }
    if (term.sequence == nullptr) {
      return import_.diags.Unsupported(Place(), "onnx-unsupported")
             << "output '" << name << "' is "
             << (term.strings != nullptr ? "a tensor of strings" : "an optional without a value")
             << "; outputs are numeric tensors, and sequences of them";
    }
    std::vector<ir::Operand> items;
    for (Term item : *term.sequence) {
      LATHE_ASSIGN_OR_RETURN(ir::Operand value, ValueOf(name, item));
      items.push_back(std::move(value));
    }
    return transform::BlockBuilder::Tuple(std::move(items));
  }

  transform::BlockBuilder builder_;
  Diagnostics found_;
  Import import_;
  Diagnostics& diags_;
  const Graph& graph_;
  const ReadOptions& options_;
  const InputShapes& shapes_;
  InputInfo inputs_;
  std::map<std::string, std::vector<int64_t>> sizes_;  // empty: shape variables
  Scope scope_;
  std::vector<const ValueInfo*> names_;
  ir::AttrList labels_;  // of each output: Term::keys
  bool has_labels_ = false;
};

// Returns true if only nodes stopped the import: unsupported ones, for example with a dynamic
// shape, or ones that do not fit the ranks that were assumed of such shapes.
bool NeedsShapes(const Diagnostics& found) {
  return std::all_of(found.all().begin(), found.all().end(), [](const Diagnostic& d) {
    return d.severity != Severity::kError || d.code == "onnx-unsupported" ||
           d.code == "onnx-bad-node" || d.code.substr(0, 3) == "op-";
  });
}

}  // namespace

absl::StatusOr<ir::Module> ReadOnnx(ir::Context& context, const SourceFile& file,
                                    Diagnostics& diags, const ReadOptions& options) {
  absl::StatusOr<Model> model = DecodeModel(file.text());
  const std::string path(file.path());
  const Location loc = std::make_shared<const ModelNode>(ModelNode{path, "", "", 0});
  if (file.text().empty()) return diags.Error(loc, "onnx-malformed") << "the file is empty";
  if (!model.ok()) {
    if (absl::IsResourceExhausted(model.status())) {
      return diags.LimitExceeded(loc, "onnx-limit") << model.status().message();
    }
    return diags.Error(loc, "onnx-malformed")
           << "malformed ONNX model: " << model.status().message();
  }
  if (!options.outputs.empty()) {
    const absl::Status cut = CutGraph(options.outputs, model->graph);
    if (!cut.ok()) return diags.Error(loc, "onnx-unknown-value") << cut.message();
  }
  if (options.files != nullptr) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const std::string& name : ExternalFilesOf(*model)) {
      options.files->push_back((folder / name).string());
    }
  }
  Diagnostics found;
  absl::StatusOr<ir::Module> module = Reading(context, *model, file, found, options).Run();
  if (!module.ok() && NeedsShapes(found)) {
    for (const SizeElements elements : {SizeElements::kVariables, SizeElements::kValues}) {
      Diagnostics again;
      Reading reading(context, *model, file, again, options, elements);
      if (!reading.knows_sizes()) continue;
      absl::StatusOr<ir::Module> other = reading.Run();
      if (!other.ok()) continue;
      for (const Diagnostic& d : again.all()) diags.Add(d);
      return other;
    }
  }
  for (const Diagnostic& d : found.all()) diags.Add(d);
  return module;
}

}  // namespace lathe::onnx
