#include "generator/emit/c/entry_view.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/port_view.h"
#include "generator/emit/c/print_routine.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;
using ir::PrimRef;

class EntryViewBuilder {
 public:
  EntryViewBuilder(Model& model, NeedPrinter& needs, EmittedModel& emitted)
      : model_(model), needs_(needs), emitted_(emitted) {}

  absl::StatusOr<Dict> Entry(ir::RoutineId id) {
    const auto shares_bytes = [&](const Port& port) {
      const auto* tensor = std::get_if<ir::TensorId>(&port.part);
      return tensor != nullptr && ir::IsPacked(model_.program.tensors[*tensor].dtype);
    };
    const ir::Routine& routine = model_.program.routines[id];
    const CName& function = model_.entries.at(id);
    const CName prefix = routine.name == "main" ? model_.name : function;
    LATHE_ASSIGN_OR_RETURN(const RoutineText text, PrintRoutine(model_, id, true));
    ApiFunction api{id, function,       prefix,        model_.plan.frames[id].open, {}, {}, {},
                    {}, routine.params, routine.result};
    const std::vector<Member> ins = MembersOf(text.inputs, "in->", prefix, "_IN_");
    const std::vector<Member> outs = MembersOf(text.outputs, "out->", prefix, "_OUT_");
    for (const Member& m : ins) api.inputs.push_back(ApiPortOf(model_, m));
    for (const Member& m : outs) api.outputs.push_back(ApiPortOf(model_, m));
    LATHE_ASSIGN_OR_RETURN(const std::optional<Need> need, needs_.Of(id));
    std::vector<std::string> need_params;
    std::vector<std::string> need_args;
    std::vector<std::string> unfits;
    if (need) {
      api.need = absl::StrCat(prefix, "_", model_.arena_size());
      // The sizes are parameters in the order of the struct. Of equal sizes only the first is one.
      absl::flat_hash_map<ir::PrimRef, std::string> named;
      for (const Port& port : text.inputs) {
        const auto* var = std::get_if<PrimRef>(&port.part);
        if (var == nullptr || !absl::c_linear_search(need->vars, *var)) continue;
        if (!named.emplace(*var, port.name).second) continue;
        api.need_args.push_back(port.name);
        need_params.push_back(absl::StrCat(port.type, port.name));
        const std::string unfit = UnfitSize(model_, routine, *var, port.name);
        if (!unfit.empty()) unfits.push_back(unfit);
      }
      for (PrimRef var : need->vars) need_args.push_back(named.at(var));
    }
    emitted_.functions.push_back(std::move(api));
    List inputs, outputs;
    for (const Member& m : ins) {
      Dict input = MemberView(model_, m, false);
      if (const auto* var = std::get_if<PrimRef>(&m.port->part)) {
        input["comment"] = ScalarComment(model_, routine, m, *var);
      }
      inputs.push_back(std::move(input));
    }
    for (const Member& m : outs) outputs.push_back(MemberView(model_, m, true));
    std::string body = std::string(absl::StripSuffix(text.body, "\n"));
    const bool has_steps = model_.makes_objects.contains(id) && !model_.called.contains(id);
    const std::string steps =
        has_steps ? model_.file_names.Unique(absl::StrCat(function, "_steps")).str() : "";
    const std::string steps_body = body;
    if (has_steps) LATHE_RETURN_IF_ERROR(CheckEnd(routine, text));
    if (has_steps) body = Around(absl::StrCat(steps, "(m, in, out, &kept)"), text);
    if (model_.called.contains(id)) body = Forwarded(id, text);
    const bool has_inputs = !inputs.empty();
    const bool has_outputs = !outputs.empty();
    Dict view{{"function", function},
              {"prefix", prefix},
              {"inputs", std::move(inputs)},
              {"outputs", std::move(outputs)},
              {"has_inputs", has_inputs},
              {"has_outputs", has_outputs},
              {"has_packed", absl::c_any_of(text.inputs, shares_bytes) ||
                                 absl::c_any_of(text.outputs, shares_bytes)},
              {"uses_state", !routine.state.empty()},
              {"has_need", need.has_value()},
              {"need", absl::StrCat(prefix, "_", model_.arena_size())},
              {"need_exact", need.has_value() && need->exact},
              {"need_params", need_params.empty() ? "void" : absl::StrJoin(need_params, ", ")},
              {"has_unfits", !unfits.empty()},
              {"unfits", absl::StrJoin(unfits, " || ")},
              {"need_call",
               need ? absl::StrCat(need->function, "(", absl::StrJoin(need_args, ", "), ")") : ""},
              {"forwards", has_steps || model_.called.contains(id)},
              {"has_steps", has_steps},
              {"steps", steps},
              {"steps_body", steps_body},
              {"body", body},
              {"has_body", !body.empty()}};
    AddChecks(model_, routine, ins, outs, view);
    return view;
  }

 private:
  std::vector<Member> MembersOf(const std::vector<Port>& ports, absl::string_view place,
                                const CName& prefix, absl::string_view side) const {
    std::vector<Member> members;
    for (const Port& port : ports) {
      members.push_back({&port, port.name, absl::StrCat(place, port.name)});
      NameMacros(model_, prefix, side, members.back());
    }
    return members;
  }

  // Prints the call of the static function of a routine that other routines call, too.
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
    const std::string call = absl::StrCat(model_.routines[id], "(", absl::StrJoin(args, ", "), ")");
    if (model_.makes_objects.contains(id)) return Around(call, text);
    const std::string returned = absl::StrCat("return ", call, ";");
    return keeps ? absl::StrCat(Region(), returned) : returned;
  }

  std::string Region() const {
    return absl::StrCat("lathe_region kept = lathe_region_of(m->", model_.arena(), ", m->",
                        model_.arena_size(), ");\n");
  }

  // Returns the lines that begin a run, execute `call`, and end the run.
  std::string Around(const std::string& call, const RoutineText& text) const {
    return absl::StrCat(Region(), "const int status = ", call, ";\n", EndOfRun(text));
  }

  // Fails if the end of a run, after its steps have updated the state, may fail.
  absl::Status CheckEnd(const ir::Routine& routine, const RoutineText& text) const {
    const bool may_fail = absl::c_any_of(text.outputs, [&](const Port& port) {
      const auto* id = std::get_if<ir::TensorId>(&port.part);
      return id != nullptr && model_.program.tensors[*id].is_value();
    });
    if (routine.state.empty() || !may_fail) return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat(
        "function '", routine.name,
        "' has a state and returns values of dynamic structure that external functions made; "
        "supported: tensors as results of a function with a state"));
  }

  // Returns the lines that end a run. Objects in the returned values then belong to the caller.
  std::string EndOfRun(const RoutineText& text) const {
    model_.needs.headers.insert("\"lathe/objects.h\"");
    std::vector<std::string> given;
    for (const Port& port : text.outputs) {
      const auto* id = std::get_if<ir::TensorId>(&port.part);
      if (id == nullptr || !model_.program.tensors[*id].is_value()) continue;
      given.push_back(absl::StrCat("out->", port.name));
    }
    if (given.empty()) return "return lathe_end_run(&kept, status, NULL, 0u);";
    std::string lines = absl::StrCat("const lathe_value *given[", given.size(), "];\n");
    for (size_t i = 0; i < given.size(); ++i) {
      absl::StrAppend(&lines, "given[", i, "] = ", given[i], ";\n");
    }
    return absl::StrCat(lines, "return lathe_end_run(&kept, status, given, ", given.size(), "u);");
  }

  Model& model_;
  NeedPrinter& needs_;
  EmittedModel& emitted_;
};

}  // namespace

absl::StatusOr<Dict> EntryView(Model& model, NeedPrinter& needs, ir::RoutineId id,
                               EmittedModel& emitted) {
  return EntryViewBuilder(model, needs, emitted).Entry(id);
}

}  // namespace lathe::emit
