#include "generator/driver/validate/main_view.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/c/print_guards.h"
#include "generator/emit/cuda/device_view.h"
#include "generator/emit/text/c_string.h"
#include "generator/emit/text/render_named.h"
#include "generator/lower/lower_packed.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

int64_t ElementsOf(const PartBytes& part) {
  int64_t elements = 1;
  for (int64_t dim : part.shape) elements *= dim;
  return elements;
}

List Ports(const std::vector<emit::ApiPort>& ports, const std::vector<PartBytes>& parts) {
  List list;
  size_t offset = 0;
  for (size_t i = 0; i < ports.size(); ++i) {
    const bool tensor = std::holds_alternative<ir::TensorId>(ports[i].part);
    const std::string bytes = absl::StrCat(parts[i].bytes.size());
    list.push_back(Dict{{"name", ports[i].name},
                        {"type", ports[i].type},
                        {"is_open", !ports[i].capacity.empty()},
                        {"capacity", ports[i].capacity},
                        {"elements", absl::StrCat(ElementsOf(parts[i]))},
                        {"is_value", ports[i].is_value},
                        {"is_tensor", tensor && !ports[i].is_value},
                        {"is_scalar", !tensor},
                        {"held", ports[i].written ? "0" : "1"},
                        {"on_gpu", tensor && !ports[i].is_value && !ports[i].on_host},
                        {"is_dim", ports[i].is_dim},
                        {"device", absl::StrCat(ports[i].device)},
                        {"size", ports[i].is_value ? "sizeof(lathe_value)" : bytes + "u"},
                        {"offset", absl::StrCat(offset)},
                        {"bytes", bytes}});
    offset += parts[i].bytes.size();
  }
  return list;
}

// Returns the number of runs in a row. `inputs` and `outputs` are those of all runs one after the
// other; after them come the variables of the state.
size_t RunsOf(const GeneratedModel& model, const emit::ApiFunction& function,
              const std::vector<PartBytes>& inputs, const std::vector<PartBytes>& outputs) {
  const size_t state = VariablesOf(model, function);
  if (state == 0) return 1;
  if (!function.outputs.empty()) return (outputs.size() - state) / function.outputs.size();
  return function.inputs.empty() ? 1 : inputs.size() / function.inputs.size();
}

// Adds the variables of the state, and the bytes between them, which belong to none.
void AddStateTo(const GeneratedModel& model, const emit::ApiFunction& function, Dict& entry) {
  List variables, gaps;
  const std::vector<ir::StateVariable>& state = model.program.state;
  const plan::StateLayout& layout = model.plan.state;
  int64_t end = 0;
  emit::CLiteral last = emit::CString("");
  for (size_t i = 0; i < state.size(); ++i) {
    const emit::CLiteral name = emit::CString(absl::StrCat("variable ", i, " of the state"));
    if (layout.offsets[i] > end) {
      gaps.push_back(Dict{{"from", absl::StrCat(end, "u")},
                          {"to", absl::StrCat(layout.offsets[i], "u")},
                          {"after", last},
                          {"before", name}});
    }
    variables.push_back(Dict{{"name", name},
                             {"at", absl::StrCat(layout.offsets[i], "u")},
                             {"bytes", absl::StrCat(state[i].bytes, "u")}});
    end = layout.offsets[i] + state[i].bytes;
    last = name;
  }
  // Only a guarded model says when it writes the variables.
  const bool uses = VariablesOf(model, function) > 0;
  entry["held_state"] = uses && model.plan.guard > 0 ? variables : List();
  entry["state"] = uses ? std::move(variables) : List();
  entry["state_gaps"] = std::move(gaps);
}

// Returns an upper bound of the guards that are active at one time (guards.h in
// templates/validate/) without recursion: a few for each port and, in a guarded model, for each
// tensor and call.
size_t GuardEntries(const GeneratedModel& model, const emit::ApiFunction& function) {
  const size_t ports = function.inputs.size() + function.outputs.size();
  size_t entries = 8 + 4 * (ports + model.program.state.size());
  if (model.plan.guard == 0) return entries;
  entries += 3 * static_cast<size_t>(std::ssize(model.program.tensors));
  for (int32_t i = 0; i < std::ssize(model.plan.frames); ++i) {
    entries += 2 + model.plan.frames[ir::RoutineId{i}].last().buffers.size();
  }
  return entries;
}

bool Recurses(const ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    if (program.routines[ir::RoutineId{i}].recursive) return true;
  }
  return false;
}

}  // namespace

Dict MainView(const GeneratedModel& model, const emit::ApiFunction& function,
              const std::string& name, const std::vector<PartBytes>& inputs,
              const std::vector<PartBytes>& outputs) {
  const bool prints =
      std::find(model.externs.begin(), model.externs.end(), lower::kPrint) != model.externs.end();
  std::vector<std::string> need;
  for (const std::string& input : function.need_args) need.push_back(absl::StrCat("in.", input));
  Dict view = {{"name", name},
               {"NAME", emit::UpperCase(name)},
               {"table", model.takes_table},
               {"fails", model.kernels_fail},
               {"recurses", model.plan.guard > 0 && Recurses(model.program)},
               {"guard_entries", absl::StrCat(GuardEntries(model, function))},
               {"prints", prints && !model.takes_table},
               {"placed", !model.program.devices.empty()},
               {"devices", emit::DeviceList(model.program)}};
  emit::AddPools(model.plan, name, function.open, view);
  size_t input_bytes = 0;
  for (size_t i = 0; i < function.inputs.size(); ++i) input_bytes += inputs[i].bytes.size();
  Dict entry = {{"function", function.function},
                {"in_steps", !function.step.empty()},
                {"step", function.step},
                {"step_count", function.step_count},
                {"prefix", function.prefix},
                {"grows", function.open || function.has_values()},
                {"has_values", function.has_values()},
                {"has_need", !function.need.empty()},
                {"need", absl::StrCat(function.need, "(", absl::StrJoin(need, ", "), ")")},
                {"runs", absl::StrCat(RunsOf(model, function, inputs, outputs))},
                {"input_bytes", absl::StrCat(input_bytes)},
                {"inputs", Ports(function.inputs, inputs)},
                {"outputs", Ports(function.outputs, outputs)}};
  AddStateTo(model, function, entry);
  return Dict{{"model", std::move(view)}, {"entry", std::move(entry)}};
}

absl::StatusOr<emit::OutputFile> GuardsFile(const Dict& view, const std::string& name) {
  LATHE_ASSIGN_OR_RETURN(std::string text, emit::RenderNamed("validate/guards.h.tmpl", view));
  return emit::OutputFile{emit::GuardHeader(name), std::move(text)};
}

std::string InputFile(const std::vector<PartBytes>& inputs) {
  std::string all;
  for (const PartBytes& part : inputs) all += part.bytes;
  return all;
}

}  // namespace lathe::driver
