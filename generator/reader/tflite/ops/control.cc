// Imports operators that run other subgraphs.
#include <functional>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/op_call.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using transform::BlockBuilder;

Operand AsTuple(Operands values) {
  return values.size() == 1 ? values[0] : BlockBuilder::Tuple(std::move(values));
}

Operands FieldsOf(OpCall& c, const Operand& made, size_t count) {
  if (count == 1) return {made};
  Operands fields;
  for (size_t k = 0; k < count; ++k) fields.push_back(c.Field(made, static_cast<int>(k)));
  return fields;
}

// The values of variables in a fixed order, which a branch or an iteration may change.
std::vector<std::string> VariableNames(ModelImport& model) {
  std::vector<std::string> names;
  for (const auto& [name, value] : model.variables) names.push_back(name);
  return names;
}

void SetVariables(ModelImport& model, const std::vector<std::string>& names, const Operands& values,
                  size_t first) {
  for (size_t i = 0; i < names.size(); ++i) model.variables[names[i]] = values[first + i];
}

void AppendVariables(ModelImport& model, const std::vector<std::string>& names, Operands& values) {
  for (const std::string& name : names) values.push_back(model.variables[name]);
}

}  // namespace

absl::StatusOr<Results> ImportCall(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands made,
                         c.graph().ImportSubgraph(c.Int("subgraph"), c.Args(), c.loc()));
  return made;
}

// Runs the decomposition, whatever the operator stands for.
absl::StatusOr<Results> ImportHloComposite(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands made,
                         c.graph().ImportSubgraph(c.Int("decomposition"), c.Args(), c.loc()));
  return made;
}

namespace {

// The results of the subgraph that is chosen: of the first whose condition holds, else of the last.
absl::StatusOr<Results> Chosen(OpCall& c, const Operands& conditions,
                               const std::vector<int64_t>& subgraphs) {
  Operands args = c.Args();
  args.erase(args.begin());
  ModelImport& model = c.graph().model();
  const std::vector<std::string> names = VariableNames(model);
  const std::map<std::string, Operand> before = model.variables;
  absl::Status status;
  size_t results = 0;
  const auto branch = [&](int64_t subgraph) {
    model.variables = before;
    absl::StatusOr<Operands> made = c.graph().ImportSubgraph(subgraph, args, c.loc());
    status.Update(made.status());
    if (!made.ok()) return Operand{ir::TupleExpr{}};
    results = made->size();
    AppendVariables(model, names, *made);
    return AsTuple(*std::move(made));
  };
  const std::function<Operand(size_t)> from = [&](size_t k) {
    if (k == conditions.size()) return branch(subgraphs[k]);
    return c.builder().If(
        conditions[k], [&] { return branch(subgraphs[k]); }, [&] { return from(k + 1); });
  };
  const Operand made = from(0);
  LATHE_RETURN_IF_ERROR(status);
  Operands fields = FieldsOf(c, made, results + names.size());
  SetVariables(model, names, fields, results);
  fields.resize(results, made);
  return fields;
}

}  // namespace

absl::StatusOr<Results> ImportIf(OpCall& c) {
  const Operand condition = c.Reshape(c.Arg(0), {});
  if (!c.TypeOf(condition).is_bool()) {
    return c.Error() << "the condition is " << TypeName(c.In(0).type) << ", not bool";
  }
  return Chosen(c, {condition}, {c.Int("then_subgraph"), c.Int("else_subgraph")});
}

// Numbers without a branch choose the last one.
absl::StatusOr<Results> ImportHloCase(OpCall& c) {
  const Operand number = c.Reshape(c.Arg(0), {});
  const std::vector<int64_t> branches = c.Ints("branches");
  constexpr size_t kLimit = 256;
  if (branches.empty() || branches.size() > kLimit) {
    return c.Error() << "it has " << branches.size() << " branches";
  }
  Operands conditions;
  for (size_t k = 0; k + 1 < branches.size(); ++k) {
    const Operand place = c.Number(static_cast<double>(k), c.TypeOf(number));
    conditions.push_back(c.Op("relax.equal", {number, place}));
  }
  return Chosen(c, conditions, branches);
}

// A local function that calls itself with the values of the next iteration becomes a loop.
absl::StatusOr<Results> ImportWhile(OpCall& c) {
  BlockBuilder& b = c.builder();
  ModelImport& model = c.graph().model();
  const std::vector<std::string> names = VariableNames(model);
  Operands first = c.Args();
  const size_t count = first.size();
  AppendVariables(model, names, first);
  std::vector<BlockBuilder::Param> params;
  std::vector<ir::StructInfoRef> infos;
  for (size_t i = 0; i < first.size(); ++i) {
    infos.push_back(b.InfoOf(first[i]));
    params.push_back({i < count ? "value" : "variable", infos.back()});
  }
  if (first.empty()) return c.Error() << "it has no inputs";
  BlockBuilder::FunctionOptions options;
  options.exported = false;
  options.ret = infos.size() == 1 ? infos[0] : c.ir().Tuple(infos);
  absl::Status status;
  const auto turn = [&](const Operands& in, const Operand& self) {
    const Operands values(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count));
    SetVariables(model, names, in, count);
    absl::StatusOr<Operands> go = c.graph().ImportSubgraph(c.Int("cond_subgraph"), values, c.loc());
    status.Update(go.status());
    if (go.ok() && (go->size() != 1 || !c.TypeOf((*go)[0]).is_bool())) {
      status.Update(c.Error() << "the result of the condition is not one bool");
    }
    if (!status.ok()) return AsTuple(in);
    const std::map<std::string, Operand> after_condition = model.variables;
    return b.If(
        c.Reshape((*go)[0], {}),
        [&] {
          absl::StatusOr<Operands> next =
              c.graph().ImportSubgraph(c.Int("body_subgraph"), values, c.loc());
          status.Update(next.status());
          if (!next.ok()) return AsTuple(in);
          AppendVariables(model, names, *next);
          if (next->size() != in.size()) {
            status.Update(c.Error() << "the body has " << next->size() - names.size()
                                    << " results for " << count << " values");
            return AsTuple(in);
          }
          return b.Call(self, *next, "turned");
        },
        [&] {
          // What the body assigned is not visible here.
          model.variables = after_condition;
          Operands last = values;
          AppendVariables(model, names, last);
          return AsTuple(std::move(last));
        });
  };
  const Operand self = b.LocalFunction("loop", params, turn, options);
  LATHE_RETURN_IF_ERROR(status);
  Operands fields = FieldsOf(c, b.Call(self, first, "turned"), first.size());
  SetVariables(model, names, fields, count);
  fields.resize(count, fields[0]);
  return fields;
}

}  // namespace lathe::tflite
