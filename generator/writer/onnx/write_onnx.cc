#include "generator/writer/onnx/write_onnx.h"

#include <limits>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/status.h"
#include "generator/transform/count_uses.h"
#include "generator/writer/onnx/call_writer.h"
#include "generator/writer/onnx/format/encode_model.h"
#include "generator/writer/onnx/remove_unused.h"
#include "generator/writer/onnx/write_kernel.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

// The function that becomes the graph.
absl::StatusOr<ir::GlobalId> FunctionToWrite(const ir::Module& module, Diagnostics& diags) {
  std::vector<ir::GlobalId> exported;
  for (size_t i = 0; i < module.globals.size(); ++i) {
    const ir::GlobalId id{static_cast<int32_t>(i)};
    if (!IsExported(module.globals[id]) || module.globals[id].function() == nullptr) continue;
    if (module.globals[id].name == "main") return id;
    exported.push_back(id);
  }
  if (exported.size() == 1) return exported[0];
  return diags.Unsupported({}, "onnx-write-unsupported")
         << "an ONNX model is one graph: the program must export a Relax function main or one "
            "function only, but exports "
         << exported.size();
}

class FunctionWriter {
 public:
  FunctionWriter(ir::Context& context, const ir::Module& module) : graph_(context, module) {
    visible_.uses = transform::CountUses(module);
  }

  Graph Write(const ir::Global& global) {
    const ir::Function& f = *global.function();
    std::vector<ValueInfo> inputs;
    for (ir::ValueId param : f.params) DeclareInput(param, inputs);
    Written result = WriteBody(f.body);
    std::vector<ValueInfo> outputs;
    std::set<std::string> taken;
    for (const ValueInfo& input : inputs) taken.insert(input.name);
    if (failures_.empty()) {
      DeclareOutputs(result, f.ret_info, {f.body.result_loc, "a result"}, outputs, taken);
    }
    const std::string failure = graph_.TakeFailure();
    if (!failure.empty()) Fail(failure, f.body.result_loc);
    Graph graph = graph_.Finish(global.name);
    graph.inputs = std::move(inputs);
    graph.outputs = std::move(outputs);
    RemoveUnused(graph);
    return graph;
  }

  // Descriptions of what was not written, with the number of uses.
  const std::map<std::string, int>& failures() const { return failures_; }
  const Location& first_failure() const { return first_failure_; }
  const GraphWriter& graph() const { return graph_; }  // owns the bytes of initializers

 private:
  static Written Unwritten() {
    Written none;
    none.failed = true;
    return none;
  }

  // True for calls whose operands could not be written: that was reported.
  bool DependsOnFailure(const ir::Call& call) {
    bool failed = false;
    for (const ir::Operand& arg : call.args) {
      ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        const auto* id = leaf.As<ir::ValueId>();
        failed |= id != nullptr && visible_.written[*id].failed;
      });
    }
    return failed;
  }

  void Fail(std::string what, const Location& loc) {
    if (failures_.empty()) first_failure_ = loc;
    ++failures_[what];
  }

  Type TypeOf(const ir::TensorInfo& tensor) {
    Type type;
    type.kind = TypeKind::kTensor;
    type.element_type = ElementTypeOf(tensor.dtype);
    if (tensor.ndim == ir::kUnknownRank && tensor.dims() == nullptr) return type;
    type.dims.emplace();
    if (tensor.dims() == nullptr) {
      type.dims->resize(static_cast<size_t>(tensor.ndim));
      return type;
    }
    for (ir::PrimRef dim : *tensor.dims()) {
      Dim written;
      if (const auto* number = dim->As<ir::IntImm>()) written.value = number->value;
      if (const auto* var = dim->As<ir::SymVar>()) written.param = var->name;
      type.dims->push_back(std::move(written));
    }
    return type;
  }

  void DeclareInput(ir::ValueId param, std::vector<ValueInfo>& inputs) {
    const ir::Value& value = graph_.module().values[param];
    const auto* tensor = value.info == nullptr ? nullptr : value.info->As<ir::TensorInfo>();
    visible_.written[param] = Unwritten();
    if (tensor == nullptr || ElementTypeOf(tensor->dtype) == 0) {
      return Fail(absl::StrCat("the parameter ", value.name, " (",
                               value.info == nullptr ? "no type" : ToString(value.info), ")"),
                  value.loc);
    }
    // The shape of an input is a required field of its type.
    if (!TypeOf(*tensor).dims) {
      return Fail(absl::StrCat("the parameter ", value.name, " (its rank is not known)"),
                  value.loc);
    }
    const std::string name = graph_.Fresh(value.name);
    graph_.Declare(name, tensor->dtype);
    visible_.written[param] = {name, {}};
    inputs.push_back({name, TypeOf(*tensor)});
    NoteDims(*tensor, name);
  }

  // Remembers the dimensions that are shape variables.
  void NoteDims(const ir::TensorInfo& tensor, const std::string& name) {
    if (tensor.dims() == nullptr) return;
    int64_t axis = 0;
    for (ir::PrimRef dim : *tensor.dims()) {
      if (dim->As<ir::SymVar>() != nullptr) graph_.dim_sources.insert({dim, {name, axis}});
      ++axis;
    }
  }

  // What leaves a graph, for messages.
  struct Leaving {
    const Location& loc;
    const char* what;
  };

  // Gives each tensor of the result its own name: one that is an input or a constant is copied.
  void DeclareOutputs(const Written& result, ir::StructInfoRef info, const Leaving& leaving,
                      std::vector<ValueInfo>& outputs, std::set<std::string>& taken) {
    if (result.failed) return;
    const auto* tuple = info == nullptr ? nullptr : info->As<ir::TupleInfo>();
    if (tuple != nullptr && tuple->fields.size() == result.fields.size()) {
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        DeclareOutputs(result.fields[i], tuple->fields[i], leaving, outputs, taken);
      }
      return;
    }
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    if (tensor == nullptr || result.name.empty() || ElementTypeOf(tensor->dtype) == 0) {
      return Fail(absl::StrCat(leaving.what, " that is not a tensor of ONNX (",
                               info == nullptr ? "no type" : ToString(info), ")"),
                  leaving.loc);
    }
    std::string name = result.name;
    if (graph_.FindNode(name) == nullptr || !taken.insert(name).second) {
      name = graph_.Emit("Identity", {name}, {}, absl::StrCat(name, ".out"));
      taken.insert(name);
    }
    outputs.push_back({name, TypeOf(*tensor)});
  }

  Written WriteBody(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) WriteBinding(binding);
    }
    return WrittenOf(body.result, body.result_loc);
  }

  Written WrittenOf(const ir::Operand& operand, const Location& loc) {
    if (const auto* id = operand.As<ir::ValueId>()) return visible_.written[*id];
    if (const auto* tuple = operand.As<ir::TupleExpr>()) {
      Written out;
      for (const ir::Operand& field : tuple->fields) out.fields.push_back(WrittenOf(field, loc));
      return out;
    }
    if (operand.As<ir::ShapeExpr>() != nullptr || operand.As<ir::StringImm>() != nullptr ||
        operand.As<ir::DTypeImm>() != nullptr) {
      return {};
    }
    ir::Call none;
    CallWriter w(graph_, visible_, none, graph_.ir().Object());
    const std::string name = w.NameOf(operand, graph_.hint().empty() ? "constant" : graph_.hint());
    if (w.failed()) Fail(w.reason(), loc);
    return {name, {}};
  }

  void WriteBinding(const ir::Binding& binding) {
    const ir::Value& value = graph_.module().values[binding.var];
    graph_.SetHint(value.name);
    ir::StructInfoRef info = value.info != nullptr ? value.info : graph_.ir().Object();
    Written written = Match(
        binding.rhs,
        [&](const ir::Operand& operand) {
          if (const auto* id = operand.As<ir::ValueId>()) {
            const auto found = visible_.definitions.find(*id);
            // A second name of a value that is used elsewhere too hides those uses.
            if (found != visible_.definitions.end() && visible_.uses[*id] == 1) {
              visible_.definitions[binding.var] = found->second;
            }
          }
          return WrittenOf(operand, binding.loc);
        },
        [&](const ir::Call& call) { return WriteOneCall(binding, call, info); },
        [&](const ir::GetField& field) {
          const Written tuple = WrittenOf(field.tuple, binding.loc);
          const auto index = static_cast<size_t>(field.index);
          return index < tuple.fields.size() ? tuple.fields[index] : Written{};
        },
        [&](const ir::MatchCast& cast) { return WriteMatchCast(cast, binding.loc); },
        [&](const ir::If& branch) { return WriteIf(branch, info, binding.loc); },
        [&](const ir::Function&) {
          Fail("functions as values", binding.loc);
          return Written{};
        });
    const auto* tensor = info->As<ir::TensorInfo>();
    if (tensor != nullptr && !written.name.empty()) NoteDims(*tensor, written.name);
    visible_.written[binding.var] = std::move(written);
  }

  Written FailCall(absl::string_view what, absl::string_view reason, const Location& loc) {
    Fail(reason.empty() ? std::string(what) : absl::StrCat(what, " (", reason, ")"), loc);
    return Unwritten();
  }

  Written WriteOneCall(const ir::Binding& binding, const ir::Call& call, ir::StructInfoRef info) {
    CallWriter w(graph_, visible_, call, info);
    const ir::Op* op = call.op();
    if (op == nullptr) {
      return FailCall("calls of functions (try --apply inline_private_functions)", "", binding.loc);
    }
    if (DependsOnFailure(call)) return Unwritten();
    const WriterRow* row = FindWriterRow(op->name);
    std::string what = absl::StrCat("R.", op->name.substr(std::string("relax.").size()));
    // A shape is not a tensor of the graph; its values are known from its type.
    if (op->name == "relax.shape_of") return {};
    if (op->name == "relax.call_tir") {
      const Written y = WriteKernel(w, what);
      w.Fail(graph_.TakeFailure());
      return w.failed() ? FailCall(what, w.reason(), binding.loc) : y;
    }
    if (row == nullptr) return FailCall(what, "", binding.loc);
    Written y = row->write(w);
    w.Fail(graph_.TakeFailure());
    if (w.failed()) return FailCall(what, w.reason(), binding.loc);
    visible_.definitions[binding.var] = &call;
    return y;
  }

  // ONNX does not check shapes at run time. The variables that the cast binds are those of its
  // result.
  Written WriteMatchCast(const ir::MatchCast& cast, const Location& loc) {
    if (cast.info->As<ir::TensorInfo>() != nullptr) return WrittenOf(cast.value, loc);
    Fail("R.match_cast of a value that is not a tensor", loc);
    return {};
  }

  Written WriteIf(const ir::If& branch, ir::StructInfoRef info, const Location& loc) {
    // Each branch is a message in three others, and readers of protobuf end at a depth of 100.
    constexpr int kMaxOnnxBranches = 30;
    if (branches_ == kMaxOnnxBranches) {
      return FailCall(absl::StrCat("more than ", kMaxOnnxBranches, " nested branches"), "", loc);
    }
    ++branches_;
    const Written cond = WrittenOf(branch.cond, loc);
    const std::string hint = graph_.hint();
    size_t count = 0;
    const auto write = [&](const ir::Body& body, const char* name) {
      return graph_.InSubgraph(name, [&](Graph& inner) {
        const Written result = WriteBody(body);
        std::set<std::string> taken;
        DeclareOutputs(result, info, {loc, "a result of R.if"}, inner.outputs, taken);
        count = inner.outputs.size();
      });
    };
    Graph then_graph = write(branch.then_body, "then");
    Graph else_graph = write(branch.else_body, "else");
    graph_.SetHint(hint);
    --branches_;
    if (!failures_.empty()) return Unwritten();
    if (cond.name.empty() || count == 0 || then_graph.outputs.size() != count ||
        else_graph.outputs.size() != count) {
      return FailCall("R.if of values that are not tensors", "", loc);
    }
    const std::vector<std::string> names =
        graph_.EmitSeveral("If", {cond.name},
                           {GraphAttribute("then_branch", std::move(then_graph)),
                            GraphAttribute("else_branch", std::move(else_graph))},
                           count, hint);
    size_t next = 0;
    return Structured(info, names, next);
  }

  // The outputs of a node in the structure of a value.
  static Written Structured(ir::StructInfoRef info, const std::vector<std::string>& names,
                            size_t& next) {
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr) return {names[next++], {}};
    Written out;
    for (ir::StructInfoRef field : tuple->fields) {
      out.fields.push_back(Structured(field, names, next));
    }
    return out;
  }

  GraphWriter graph_;
  Visible visible_;
  int branches_ = 0;  // around the binding
  std::map<std::string, int> failures_;
  Location first_failure_;
};

}  // namespace

absl::StatusOr<std::string> WriteOnnx(ir::Context& context, const ir::Module& module,
                                      Diagnostics& diags) {
  LATHE_ASSIGN_OR_RETURN(const ir::GlobalId id, FunctionToWrite(module, diags));
  return WriteOnnx(context, module, id, diags);
}

absl::StatusOr<std::string> WriteOnnx(ir::Context& context, const ir::Module& module,
                                      ir::GlobalId function, Diagnostics& diags) {
  FunctionWriter writer(context, module);
  Model model;
  model.graph = writer.Write(module.globals[function]);
  model.opsets[""] = writer.graph().opset;
  // The version that came with the operator set.
  model.ir_version = writer.graph().opset > kFirstOpset ? 10 : 9;
  if (!writer.failures().empty()) {
    std::vector<std::string> list;
    for (const auto& [what, count] : writer.failures()) {
      list.push_back(count == 1 ? what : absl::StrCat(what, " (", count, " times)"));
    }
    return diags.Unsupported(writer.first_failure(), "onnx-write-unsupported")
           << "cannot be written as ONNX: " << absl::StrJoin(list, ", ");
  }
  std::string bytes = EncodeModel(model, "lathe");
  constexpr size_t kMaxOnnxFile = std::numeric_limits<int32_t>::max();
  if (bytes.size() <= kMaxOnnxFile) return bytes;
  return diags.Unsupported({}, "onnx-write-unsupported")
         << "cannot be written as ONNX: the model has " << bytes.size()
         << " bytes, and a protobuf message at most " << kMaxOnnxFile;
}

}  // namespace lathe::onnx
