#include "generator/reader/tflite/read_tflite.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/import/program_name.h"
#include "generator/reader/tflite/convert_io.h"
#include "generator/reader/tflite/exports.h"
#include "generator/reader/tflite/external_files.h"
#include "generator/reader/tflite/format/decode_model.h"
#include "generator/reader/tflite/format/model_labels.h"
#include "generator/reader/tflite/format/tensor_data.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/list_unsupported.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/variables.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ir::Operand;

class Reading {
 public:
  Reading(ir::Context& context, const Model& model, std::vector<Export> exports, ModelLabels labels,
          const SourceFile& file, Diagnostics& diags)
      : builder_(context),
        import_{context, model, std::string(file.path()), diags, builder_},
        exports_(std::move(exports)),
        labels_(std::move(labels)) {}

  absl::StatusOr<ir::Module> Run() {
    const absl::Status listed = ListUnsupported(import_);
    absl::Status status;
    LATHE_ASSIGN_OR_RETURN(variables_, VariablesOf(import_));
    for (const Export& e : exports_) {
      for (const Export& other : exports_) {
        if (&other == &e) break;
        if (ProgramName(other.key) != ProgramName(e.key)) continue;
        return import_.diags.Error(std::make_shared<const ModelNode>(
                                       ModelNode{import_.path, e.key, "signature", 0}),
                                   "tflite-malformed")
               << "signatures '" << other.key << "' and '" << e.key
               << "' would be functions of one name";
      }
      status.Update(Define(exports_.size() == 1 ? "main" : ProgramName(e.key), e));
    }
    LATHE_RETURN_IF_ERROR(listed);
    LATHE_RETURN_IF_ERROR(status);
    absl::StatusOr<ir::Module> module = builder_.Finish();
    if (!module.ok()) {
      for (const Diagnostic& d : builder_.diags().all()) import_.diags.Add(d);
      return module;
    }
    DeclareAttributes(*module);
    return module;
  }

 private:
  // Says which parameters are the state: the last ones, as many as the attribute has numbers. Each
  // number is the value of every byte before the first run. And says how inputs and outputs are
  // quantized, and what labels outputs have.
  void DeclareAttributes(ir::Module& module) const {
    ir::AttrList bytes;
    for (const Variable& variable : variables_) bytes.emplace_back(variable.first_byte);
    for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
      ir::Function* function = module.globals[ir::GlobalId{i}].function();
      const auto scales = scales_.find(i);
      if (function == nullptr || scales == scales_.end()) continue;
      if (!bytes.empty()) function->attrs["state"] = bytes;
      if (!scales->second.empty()) function->attrs["scales"] = scales->second;
      const auto labels = label_attrs_.find(i);
      if (labels != label_attrs_.end()) function->attrs["labels"] = labels->second;
    }
  }

  // Scale and zero point of each input and output; None without a scale. Empty for a subgraph
  // without quantized tensors.
  static ir::AttrList ScalesOf(const Subgraph& graph) {
    ir::AttrList scales;
    const bool quantized =
        std::any_of(graph.tensors.begin(), graph.tensors.end(),
                    [](const Tensor& t) { return t.quantization.is_quantized(); });
    if (!quantized) return scales;
    for (const auto* tensors : {&graph.inputs, &graph.outputs}) {
      for (const int32_t t : *tensors) {
        const Tensor& tensor = graph.tensors[static_cast<size_t>(t)];
        const Quantization& q = tensor.quantization;
        ir::AttrValue& scale = scales.emplace_back();
        // Elements under a byte are bytes in the program, whose ends are not theirs.
        if (q.scales.size() != 1 || BitsInFile(tensor.type) < 8) continue;
        scale = ir::AttrList{double{q.scales[0]}, q.zeros.empty() ? 0 : q.zeros[0]};
      }
    }
    return scales;
  }

  // The kind and the labels of each output, None without any; empty if no output has labels.
  ir::AttrList LabelsOf(int64_t subgraph) const {
    ir::AttrList all;
    bool any = false;
    const Subgraph& graph = import_.model.subgraphs[static_cast<size_t>(subgraph)];
    for (int64_t k = 0; k < std::ssize(graph.outputs); ++k) {
      ir::AttrValue& entry = all.emplace_back();
      const auto found = labels_.find({subgraph, k});
      if (found == labels_.end()) continue;
      any = true;
      ir::AttrList texts(found->second.texts.begin(), found->second.texts.end());
      entry =
          ir::AttrList{std::string(found->second.of_values ? "value" : "axis"), std::move(texts)};
    }
    return any ? all : ir::AttrList();
  }

  absl::Status Define(const std::string& name, const Export& e) {
    GraphImport graph(import_, e.subgraph);
    import_.active = {e.subgraph};
    const Subgraph& g = graph.subgraph();
    std::vector<transform::BlockBuilder::Param> params;
    std::set<int32_t> seen;
    for (const int32_t input : g.inputs) {
      const Tensor& tensor = g.tensors[static_cast<size_t>(input)];
      const Location loc = std::make_shared<const ModelNode>(
          ModelNode{import_.path, tensor.name, "input", static_cast<int>(params.size())});
      const std::optional<ir::DType> dtype = DTypeOf(tensor.type);
      if (!dtype) {
        return import_.diags.Unsupported(loc, "tflite-unsupported")
               << "input '" << tensor.name << "' has type " << TypeName(tensor.type);
      }
      if (!seen.insert(input).second) {
        return import_.diags.Error(loc, "tflite-malformed")
               << "tensor '" << tensor.name << "' (#" << input << ") is an input twice";
      }
      std::vector<ir::PrimRef> dims;
      for (const int64_t size : tensor.shape) dims.push_back(import_.context.Int(size));
      params.push_back(
          {ProgramName(e.inputs[params.size()]), builder_.Tensor(std::move(dims), *dtype)});
    }
    for (const Variable& variable : variables_) {
      std::vector<ir::PrimRef> dims;
      for (const int64_t size : variable.shape) dims.push_back(import_.context.Int(size));
      params.push_back({absl::StrCat("state_", variable.name),
                        builder_.Tensor(std::move(dims), variable.dtype)});
    }
    absl::Status status;
    const ir::GlobalId id = builder_.Function(name, params, [&](const transform::Operands& in) {
      for (size_t i = 0; i < g.inputs.size(); ++i) graph.Bind(g.inputs[i], in[i]);
      import_.variables.clear();
      for (size_t i = 0; i < variables_.size(); ++i) {
        import_.variables[variables_[i].key] = in[g.inputs.size() + i];
      }
      absl::StatusOr<Operand> result = Body(graph, e.outputs);
      status = result.status();
      return result.ok() ? *result : Operand{ir::TupleExpr{}};
    });
    scales_[id.index] = ScalesOf(g);
    if (ir::AttrList labels = LabelsOf(e.subgraph); !labels.empty()) {
      label_attrs_[id.index] = std::move(labels);
    }
    return status;
  }

  // IF, WHILE, CALL_ONCE and STABLEHLO_CASE.
  static bool RunsSubgraphs(int code) {
    return code == 118 || code == 119 || code == 129 || code == 209;
  }

  absl::StatusOr<Operand> Body(GraphImport& graph, const std::vector<std::string>& names) {
    absl::Status status;
    // Dataflow blocks have no branches and no recursive functions.
    const bool dataflow =
        import_.model.subgraphs.size() == 1 &&
        std::none_of(graph.subgraph().operators.begin(), graph.subgraph().operators.end(),
                     [](const Operator& op) { return RunsSubgraphs(op.code); });
    const auto output = [&](const Operand& value, const std::string& result) {
      if (dataflow) return builder_.Output(value, result);
      builder_.Name(value, result);
      return value;
    };
    const auto body = [&] {
      status = graph.ImportOperators();
      if (!status.ok()) return Operand{ir::TupleExpr{}};
      absl::StatusOr<std::vector<Operand>> outputs = graph.Outputs();
      status = outputs.status();
      if (!status.ok()) return Operand{ir::TupleExpr{}};
      std::vector<Operand> results;
      for (size_t k = 0; k < outputs->size(); ++k) {
        results.push_back(output((*outputs)[k], ProgramName(names[k])));
      }
      for (const Variable& variable : variables_) {
        results.push_back(
            output(import_.variables[variable.key], absl::StrCat("next_", variable.name)));
      }
      return results.size() == 1 ? results[0] : transform::BlockBuilder::Tuple(std::move(results));
    };
    Operand made = dataflow ? builder_.Dataflow(body) : body();
    LATHE_RETURN_IF_ERROR(status);
    return made;
  }

  transform::BlockBuilder builder_;
  ModelImport import_;
  std::vector<Export> exports_;
  std::vector<Variable> variables_;
  const ModelLabels labels_;
  // By the number of the global function.
  std::map<int32_t, ir::AttrList> scales_, label_attrs_;
};

}  // namespace

namespace {

// Reports that the file cannot be read.
absl::Status Refused(const absl::Status& status, const Location& loc, Diagnostics& diags) {
  if (absl::IsUnimplemented(status)) {
    return diags.Unsupported(loc, "tflite-unsupported") << status.message();
  }
  if (absl::IsResourceExhausted(status)) {
    return diags.LimitExceeded(loc, "tflite-limit") << status.message();
  }
  return diags.Error(loc, "tflite-malformed") << status.message();
}

}  // namespace

absl::StatusOr<ir::Module> ReadTflite(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, IoTypes io_types,
                                      std::vector<std::string>* files) {
  const Location loc =
      std::make_shared<const ModelNode>(ModelNode{std::string(file.path()), "", "", 0});
  absl::StatusOr<Model> model = DecodeModel(file.text());
  if (!model.ok()) return Refused(model.status(), loc, diags);
  const std::string folder = std::filesystem::path(std::string(file.path())).parent_path().string();
  if (const absl::Status loaded = LoadExternalFiles(folder, *model, files); !loaded.ok()) {
    return Refused(loaded, loc, diags);
  }
  // Conversions add tensors that have no names.
  std::vector<Export> exports = ExportsOf(*model);
  if (const absl::Status converted = ConvertIo(io_types, *model); !converted.ok()) {
    return diags.Unsupported(loc, "tflite-unsupported") << converted.message();
  }
  absl::StatusOr<ModelLabels> labels = ReadModelLabels(*model, file.text());
  if (!labels.ok()) {
    // They only describe the model.
    diags.Warning(loc, "tflite-metadata")
        << "the labels are ignored: " << labels.status().message();
    labels = ModelLabels();
  }
  return Reading(context, *model, std::move(exports), *std::move(labels), file, diags).Run();
}

}  // namespace lathe::tflite
