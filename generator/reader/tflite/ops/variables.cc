// Imports operators of variables.
#include "generator/reader/tflite/ops/variables.h"

#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "generator/reader/import/program_name.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/op_call.h"
#include "generator/reader/tflite/ops/operator_states.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int kCallOnce = 129, kVarHandle = 142, kAssignVariable = 144;

// The low byte of a zero point, which TFLM writes to every byte of a variable.
int64_t FirstByte(const Tensor& tensor, bool is_resource) {
  const bool byte = tensor.type == kInt8;
  if (!byte && !is_resource) return 0;
  const Quantization& q = tensor.quantization;
  return q.zeros.empty() ? 0 : q.zeros[0] & 0xFF;
}

// The result of a custom operator that the operator keeps for the next run.
std::optional<size_t> StateResult(const Operator& op) {
  if (op.code != kCustomOperator) return std::nullopt;
  size_t result = 0;
  if (op.custom_code == "SignalFilterBankSpectralSubtraction") {
    result = 1;
  } else if (op.custom_code != "CIRCULAR_BUFFER") {
    return std::nullopt;
  }
  if (result >= op.outputs.size()) return std::nullopt;
  return result;
}

std::string KeyOfHandle(const Operator& op) {
  const auto text = [&](const char* option) {
    const auto* value = ir::FindAttr<std::string>(op.options, option);
    return value == nullptr ? std::string() : *value;
  };
  return ResourceKey(text("container"), text("shared_name"));
}

// The key of the resource that a tensor of a subgraph holds.
std::optional<std::string> KeyOfResource(const Subgraph& graph, int32_t tensor) {
  for (const Operator& op : graph.operators) {
    if (op.code == kVarHandle && op.outputs.size() == 1 && op.outputs[0] == tensor) {
      return KeyOfHandle(op);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string TensorKey(int64_t subgraph, int32_t tensor) {
  return absl::StrCat("tensor ", subgraph, ":", tensor);
}
std::string ResourceKey(const std::string& container, const std::string& name) {
  return absl::StrCat("resource ", container, "/", name);
}
std::string OnceKey(int64_t subgraph) { return absl::StrCat("once ", subgraph); }
std::string StateKey(int64_t subgraph, int64_t op, const std::string& part) {
  return absl::StrCat("operator ", subgraph, ":", op, part.empty() ? "" : ".", part);
}

absl::StatusOr<std::vector<Variable>> VariablesOf(ModelImport& model) {
  std::map<std::string, Variable> found;
  const std::vector<Subgraph>& subgraphs = model.model.subgraphs;
  for (size_t g = 0; g < subgraphs.size(); ++g) {
    const Subgraph& graph = subgraphs[g];
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
      const Tensor& tensor = graph.tensors[t];
      const auto dtype = DTypeOf(tensor.type);
      if (!tensor.is_variable || !dtype) continue;
      const std::string key = TensorKey(static_cast<int64_t>(g), static_cast<int32_t>(t));
      found[key] = {key, ProgramName(tensor.name), tensor.shape, *dtype, FirstByte(tensor, false)};
    }
    for (size_t o = 0; o < graph.operators.size(); ++o) {
      const Operator& op = graph.operators[o];
      const auto state = StateResult(op);
      if (state && op.outputs[*state] >= 0) {
        const Tensor& tensor = graph.tensors[static_cast<size_t>(op.outputs[*state])];
        const std::string key = StateKey(static_cast<int64_t>(g), static_cast<int64_t>(o));
        const auto dtype = DTypeOf(tensor.type);
        if (dtype && !tensor.is_variable) {
          found[key] = {key, ProgramName(tensor.name), tensor.shape, *dtype,
                        FirstByte(tensor, false)};
        }
      }
      for (StatePart& part : StatePartsOf(graph, op)) {
        const std::string key =
            StateKey(static_cast<int64_t>(g), static_cast<int64_t>(o), part.name);
        const std::string& result = graph.tensors[static_cast<size_t>(op.outputs[0])].name;
        found[key] = {key, ProgramName(absl::StrCat(result, "_", part.name)), std::move(part.shape),
                      part.dtype, 0};
      }
      if (op.code == kCallOnce) {
        const auto* init = ir::FindAttr<int64_t>(op.options, "init_subgraph");
        const std::string key = OnceKey(init == nullptr ? 0 : *init);
        found[key] = {key, "initialized", {}, ir::DType::Bool(), 0};
      }
      if (op.code != kAssignVariable || op.inputs.size() < 2 || op.inputs[0] < 0 ||
          op.inputs[1] < 0) {
        continue;
      }
      const auto key = KeyOfResource(graph, op.inputs[0]);
      const Tensor& value = graph.tensors[static_cast<size_t>(op.inputs[1])];
      const auto dtype = DTypeOf(value.type);
      if (!key || !dtype || found.count(*key) != 0) continue;
      const std::string name = key->substr(key->find('/') + 1);
      found[*key] = {*key, ProgramName(name.empty() ? "variable" : name), value.shape, *dtype,
                     FirstByte(value, true)};
    }
  }
  std::vector<Variable> variables;
  for (auto& [key, variable] : found) variables.push_back(std::move(variable));
  return variables;
}

// Programs name variables, so the tensor of the resource has an arbitrary value.
absl::StatusOr<Results> ImportVariableResource(OpCall& c) {
  return Results(Operands{c.Number(0, kWhole)});
}

namespace {

absl::StatusOr<std::string> VariableOf(OpCall& c) {
  const auto key = KeyOfResource(c.graph().subgraph(), c.node().inputs[0]);
  if (!key) {
    return c.Unsupported() << "a resource that is not the result of a VAR_HANDLE of its subgraph";
  }
  if (c.graph().model().variables.count(*key) == 0) {
    return c.Error() << "no value is assigned to the variable '" << *key << "'";
  }
  return *key;
}

}  // namespace

absl::StatusOr<Results> ImportReadVariable(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::string key, VariableOf(c));
  return c.graph().model().variables[key];
}

absl::StatusOr<Results> ImportAssignVariable(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::string key, VariableOf(c));
  Operand& variable = c.graph().model().variables[key];
  const Operand value = c.Arg(1);
  if (c.Shape(variable) != c.Shape(value) || c.TypeOf(variable) != c.TypeOf(value)) {
    return c.Error() << "values of different shapes or types are assigned to one variable";
  }
  variable = value;
  return Results(Operands{});
}

// Runs a subgraph in the first run only; its variables keep what it assigns.
absl::StatusOr<Results> ImportCallOnce(OpCall& c) {
  ModelImport& model = c.graph().model();
  const int64_t subgraph = c.Int("init_subgraph");
  const std::string flag = OnceKey(subgraph);
  const std::map<std::string, Operand> before = model.variables;
  std::vector<std::string> names;
  for (const auto& [name, value] : before) {
    if (name != flag) names.push_back(name);
  }
  absl::Status status;
  const auto values = [&] {
    Operands all;
    for (const std::string& name : names) all.push_back(model.variables[name]);
    return Operand{ir::TupleExpr{std::move(all)}};
  };
  const Operand made = c.builder().If(
      before.at(flag), [&] { return values(); },
      [&] {
        absl::StatusOr<Operands> ran = c.graph().ImportSubgraph(subgraph, {}, c.loc());
        status.Update(ran.status());
        return values();
      });
  LATHE_RETURN_IF_ERROR(status);
  for (size_t k = 0; k < names.size(); ++k) {
    model.variables[names[k]] = c.Field(made, static_cast<int>(k));
  }
  model.variables[flag] = c.builder().Constant(DType::Bool(), {}, {1});
  return Results(Operands{});
}

}  // namespace lathe::tflite
