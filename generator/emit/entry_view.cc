#include "generator/emit/entry_view.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/analysis/interval.h"
#include "generator/emit/c_names.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_routine.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;
using ir::PrimRef;

class View {
 public:
  View(Model& model, NeedPrinter& needs, EmittedModel& emitted)
      : model_(model), needs_(needs), emitted_(emitted) {}

  absl::StatusOr<Dict> Entry(ir::RoutineId id) {
    const auto shares_bytes = [&](const Port& port) {
      const auto* tensor = std::get_if<ir::TensorId>(&port.part);
      return tensor != nullptr && ir::IsPacked(model_.program.tensors[*tensor].dtype);
    };
    const ir::Routine& routine = model_.program.routines[id];
    const std::string& function = model_.entries.at(id);
    const std::string prefix = routine.name == "main" ? model_.name : function;
    LATHE_ASSIGN_OR_RETURN(const RoutineText text, PrintRoutine(model_, id, true));
    ApiFunction api{id, function,       prefix,        model_.plan.frames[id].open, {}, {}, {},
                    {}, routine.params, routine.result};
    for (const Port& port : text.inputs) api.inputs.push_back(ApiPortOf(port));
    for (const Port& port : text.outputs) api.outputs.push_back(ApiPortOf(port));
    LATHE_ASSIGN_OR_RETURN(const std::optional<Need> need, needs_.Of(id));
    std::vector<std::string> need_params;
    std::vector<std::string> need_args;
    if (need) {
      api.need = absl::StrCat(prefix, "_", model_.arena_size());
      // Users give the sizes in the order of the struct; of those that are to be equal, the first.
      absl::flat_hash_map<ir::PrimRef, std::string> named;
      for (const Port& port : text.inputs) {
        const auto* var = std::get_if<PrimRef>(&port.part);
        if (var == nullptr || !absl::c_linear_search(need->vars, *var)) continue;
        if (!named.emplace(*var, port.name).second) continue;
        api.need_args.push_back(port.name);
        need_params.push_back(absl::StrCat(port.type, port.name));
      }
      for (PrimRef var : need->vars) need_args.push_back(named.at(var));
    }
    emitted_.functions.push_back(std::move(api));
    std::vector<std::string> nulls;
    std::vector<std::string> sizes;
    List inputs;
    List outputs;
    List ranges;
    for (size_t i = 0; i < text.inputs.size(); ++i) {
      const Port& port = text.inputs[i];
      if (port.part.index() == 0) nulls.push_back(absl::StrCat("in->", port.name, " == NULL"));
      const auto* var = std::get_if<PrimRef>(&port.part);
      for (size_t k = 0; var != nullptr && k < i; ++k) {
        if (text.inputs[k].part != port.part) continue;
        sizes.push_back(absl::StrCat("in->", port.name, " != in->", text.inputs[k].name));
        break;
      }
      const ir::Range* range = var == nullptr ? nullptr : DeclaredRange(routine, *var);
      const bool is_size = var != nullptr && IsSize(*var);
      inputs.push_back(var != nullptr ? ScalarView(port, *var, is_size, range)
                                      : PortView(port, absl::StrCat(prefix, "_IN_"), false));
      if (range != nullptr) {
        ranges.push_back(RangeView("in->" + port.name, port.name, *range, prefix));
      } else if (is_size) {
        sizes.push_back(absl::StrCat("in->", port.name, " < 0"));
      }
    }
    for (const Port& port : text.outputs) {
      outputs.push_back(PortView(port, absl::StrCat(prefix, "_OUT_"), true));
      nulls.push_back(absl::StrCat("out->", port.name, " == NULL"));
    }
    std::string body = std::string(absl::StripSuffix(text.body, "\n"));
    if (model_.called.contains(id)) body = Forwarded(id, text);
    const bool has_inputs = !inputs.empty();
    const bool has_outputs = !outputs.empty();
    return Dict{
        {"function", function},
        {"prefix", prefix},
        {"inputs", std::move(inputs)},
        {"outputs", std::move(outputs)},
        {"has_inputs", has_inputs},
        {"has_outputs", has_outputs},
        {"null_checks", absl::StrJoin(nulls, " || ")},
        {"has_packed",
         absl::c_any_of(text.inputs, shares_bytes) || absl::c_any_of(text.outputs, shares_bytes)},
        {"has_ports", !nulls.empty()},
        {"size_checks", absl::StrJoin(sizes, " || ")},
        {"has_sizes", !sizes.empty()},
        {"has_need", need.has_value()},
        {"need", absl::StrCat(prefix, "_", model_.arena_size())},
        {"need_exact", need.has_value() && need->exact},
        {"need_params", need_params.empty() ? "void" : absl::StrJoin(need_params, ", ")},
        {"need_call",
         need ? absl::StrCat(need->function, "(", absl::StrJoin(need_args, ", "), ")") : ""},
        {"ranges", std::move(ranges)},
        {"forwards", model_.called.contains(id)},
        {"body", body},
        {"has_body", !body.empty()}};
  }

  // Of the variables that come in, those that are no sizes are signed.
  bool IsSize(PrimRef var) const {
    return var->dtype() == ir::DType::Int(64) && !model_.context.IsSigned(var);
  }

  ApiPort ApiPortOf(const Port& port) const {
    const auto* id = std::get_if<ir::TensorId>(&port.part);
    const absl::string_view type = id != nullptr
                                       ? CType(model_.program.tensors[*id].dtype)
                                       : CScalarType(std::get<PrimRef>(port.part)->dtype());
    const bool written = id != nullptr && !absl::StartsWith(port.type, "const ");
    const bool value = id != nullptr && model_.program.tensors[*id].is_value();
    return {port.name, std::string(type), port.part, written, port.capacity, value};
  }

  static Dict ScalarView(const Port& port, PrimRef var, bool is_size, const ir::Range* range) {
    std::string comment = is_size ? "a size" : "a scalar";
    if (range != nullptr) {
      absl::StrAppend(
          &comment, ", ", range->low,
          range->high == analysis::kPosInf ? " or more" : absl::StrCat(" to ", range->high));
    }
    const std::string called = ir::ToString(var);
    if (called != port.name) absl::StrAppend(&comment, ": ", called, " of the program");
    return Dict{{"declaration", absl::StrCat(port.type, port.name)},
                {"comment", comment},
                {"is_static", false},
                {"is_bounded", false},
                {"is_open", false}};
  }

  // What is called from inside too is a function of its own.
  std::string Forwarded(ir::RoutineId id, const RoutineText& text) const {
    std::vector<std::string> args;
    if (model_.TakesExterns(id)) args.push_back("m->externs");
    if (model_.HasExternalWeights()) args.push_back("m->weights");
    for (const std::string& pool : model_.PoolsOf(id)) args.push_back("m->" + pool);
    const std::string size = absl::StrCat("m->", model_.arena_size());
    const bool keeps = model_.keeps.contains(id);
    if (keeps) {
      args.push_back("&kept");
    } else if (model_.plan.frames[id].open) {
      args.push_back(size);
    }
    for (const Port& port : text.inputs) args.push_back(absl::StrCat("in->", port.name));
    for (const Port& port : text.outputs) args.push_back(absl::StrCat("out->", port.name));
    const std::string call =
        absl::StrCat("return ", model_.routines[id], "(", absl::StrJoin(args, ", "), ");");
    if (!keeps) return call;
    return absl::StrCat("lathe_region kept = lathe_region_of(m->", model_.arena(), ", ", size,
                        ");\n", call);
  }

  Dict PortView(const Port& port, const std::string& macro_prefix, bool output) const {
    const auto* id = std::get_if<ir::TensorId>(&port.part);
    const std::string macro = absl::StrCat(UpperCase(macro_prefix), UpperCase(port.name));
    if (id == nullptr) {
      return Dict{{"declaration", absl::StrCat(port.type, port.name)},
                  {"comment", std::string("a scalar")},
                  {"is_static", false},
                  {"is_packed", false},
                  {"is_bounded", false},
                  {"is_open", false}};
    }
    const ir::Tensor& t = model_.program.tensors[*id];
    const std::optional<int64_t> count = t.is_value() ? std::nullopt : t.elements();
    const bool shares = ir::IsPacked(t.dtype);
    const std::string dtype = absl::StrCat(shares ? "packed " : "", ToString(t.dtype));
    return Dict{{"declaration", absl::StrCat(port.type, port.name)},
                {"name", port.name},
                {"comment",
                 t.is_value() ? absl::StrCat("a value: ", output ? "it says" : "say", " what it is")
                 : t.sizes.valid() ? absl::StrCat(dtype, ", as large as ", port.name, "_shape says")
                 : count && shares ? absl::StrCat(macro, "_LEN of ", dtype, " in ", macro, "_BYTES")
                 : count           ? absl::StrCat(macro, "_LEN")
                                   : absl::StrCat(dtype, "[", port.shape, "]")},
                {"is_static", count.has_value()},
                {"is_packed", shares && count.has_value()},
                {"bytes", absl::StrCat(t.bytes().value_or(0))},
                {"is_bounded", !count && t.most_elements.has_value()},
                {"is_open", t.sizes.valid()},
                {"capacity", port.capacity},
                {"most", absl::StrCat(t.most_elements.value_or(0))},
                {"macro", macro},
                {"length", absl::StrCat(count.value_or(0))},
                {"rank", absl::StrCat(t.shape.size())},
                {"shape", absl::StrCat("{", port.shape, "}")},
                {"has_dims", !t.shape.empty()}};
  }

 private:
  Model& model_;
  NeedPrinter& needs_;
  EmittedModel& emitted_;
};

}  // namespace

const ir::Range* DeclaredRange(const ir::Routine& routine, PrimRef var) {
  for (const ir::Range& range : routine.ranges) {
    if (range.var == var) return &range;
  }
  return nullptr;
}

Dict RangeView(const std::string& place, const std::string& name, const ir::Range& range,
               const std::string& prefix) {
  const bool open = range.high == analysis::kPosInf;
  std::string check = absl::StrCat(place, " < ", range.low);
  if (!open) absl::StrAppend(&check, " || ", place, " > ", range.high);
  return Dict{{"check", check},
              {"name", name},
              {"macro", UpperCase(absl::StrCat(prefix, "_", name))},
              {"low", absl::StrCat(range.low)},
              {"high", absl::StrCat(range.high)},
              {"has_high", !open}};
}

absl::StatusOr<Dict> EntryView(Model& model, NeedPrinter& needs, ir::RoutineId id,
                               EmittedModel& emitted) {
  return View(model, needs, emitted).Entry(id);
}

}  // namespace lathe::emit
