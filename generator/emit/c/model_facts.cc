#include "generator/emit/c/model_facts.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/status.h"

namespace lathe::emit {

void NameEntries(Model& model, absl::Span<const std::string> endings,
                 absl::Span<const std::string> of_functions) {
  (void)model.file_names.Unique(model.name, endings);
  const CName run = model.file_names.Unique(absl::StrCat(model.name, "_run"), of_functions);
  std::vector<std::string> all(endings.begin(), endings.end());
  all.insert(all.end(), of_functions.begin(), of_functions.end());
  for (int32_t i = 0; i < std::ssize(model.program.routines); ++i) {
    const ir::Routine& routine = model.program.routines[ir::RoutineId{i}];
    if (!routine.exported) continue;
    model.entries[ir::RoutineId{i}] =
        routine.name == "main"
            ? run
            : model.file_names.Unique(absl::StrCat(model.name, "_", routine.name), all);
  }
}

void FindCalled(Model& model) {
  for (int32_t i = 0; i < std::ssize(model.program.routines); ++i) {
    ir::ForEachStep(model.program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* call = std::get_if<ir::CallStep>(&step.node);
      if (call != nullptr) model.called.insert(call->routine);
    });
  }
}

absl::Status FindExterns(Model& model) {
  const ir::Program& program = model.program;
  std::set<std::string> functions;
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      const ir::RoutineId id{i};
      ir::ForEachStep(program.routines[id].steps, [&](const ir::Step& step) {
        const auto* call = std::get_if<ir::CallStep>(&step.node);
        const auto* packed = std::get_if<ir::PackedStep>(&step.node);
        const bool out = call != nullptr && model.calls_out.contains(call->routine);
        if (out || packed != nullptr) changed |= model.calls_out.insert(id).second;
        const bool keep = call != nullptr && model.keeps.contains(call->routine);
        if (keep || lower::Keeps(program, step)) changed |= model.keeps.insert(id).second;
        const bool objects = call != nullptr && model.makes_objects.contains(call->routine);
        if (objects || (packed != nullptr && lower::KeepsResult(program, *packed))) {
          changed |= model.makes_objects.insert(id).second;
        }
        if (packed != nullptr) functions.insert(packed->function);
      });
    }
  }
  for (const std::string& function : functions) {
    model.externs.push_back(function);
    if (model.extern_mode == Externs::kTable) continue;
    // CheckExterns() has reported names that are not allowed.
    LATHE_ASSIGN_OR_RETURN(
        model.extern_symbols[function],
        ExternName(MakeCName(function).str(), model.name, model.dialect.extern_rules()));
  }
  return absl::OkStatus();
}

namespace {

// Calls `fn` with each tensor that the step may write, according to the results in `model` so far.
template <typename Fn>
void ForEachWritten(const Model& model, const ir::Step& step, const Fn& fn) {
  const ir::Program& program = model.program;
  if (const auto* s = std::get_if<ir::KernelStep>(&step.node)) {
    const std::vector<bool>& writes = model.kernels[s->kernel].writes;
    for (size_t k = 0; k < s->tensors.size(); ++k) {
      if (writes[k]) fn(s->tensors[k]);
    }
  }
  if (const auto* copy = std::get_if<ir::CopyStep>(&step.node)) fn(copy->to);
  const auto* point = std::get_if<ir::PointStep>(&step.node);
  if (point != nullptr && program.tensors[point->pointer].written) fn(point->to);
  if (const auto* s = std::get_if<ir::PackedStep>(&step.node)) {
    for (ir::TensorId id : s->writes) fn(id);
    for (const ir::Form& arg : s->args) {
      for (const ir::Part& part : ir::PartsOf(arg)) {
        const auto* id = std::get_if<ir::TensorId>(&part);
        if (s->writes_args && id != nullptr) fn(*id);
      }
    }
  }
  const auto* call = std::get_if<ir::CallStep>(&step.node);
  if (call == nullptr) return;
  const ir::Routine& callee = program.routines[call->routine];
  for (size_t k = 0; k < call->inputs.size(); ++k) {
    const auto* formal = std::get_if<ir::TensorId>(&callee.inputs[k]);
    const auto* actual = std::get_if<ir::TensorId>(&call->inputs[k]);
    const bool writes = formal != nullptr && model.written.contains(program.Whole(*formal));
    if (writes && actual != nullptr) fn(*actual);
  }
}

}  // namespace

absl::Status MarkWritten(Model& model, Diagnostics& diags) {
  const ir::Program& program = model.program;
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
        ForEachWritten(model, step, [&](ir::TensorId id) {
          id = program.Whole(id);
          if (program.tensors[id].home != ir::Home::kInput) return;
          changed = model.written.insert(id).second || changed;
        });
      });
    }
  }
  bool refused = false;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      bool writes = false;
      ForEachWritten(model, step, [&](ir::TensorId id) {
        writes = writes || program.tensors[program.Whole(id)].home == ir::Home::kConstant;
      });
      if (!writes) return;
      diags.Unsupported(step.loc, "cannot-emit")
          << "function '" << routine.name
          << "': the callee writes to a constant; supported: R.call_tir of a function that writes "
             "only its results, and R.call_tir_inplace, which writes to a copy";
      refused = true;
    });
  }
  if (refused) return absl::UnimplementedError("a constant is written");
  return absl::OkStatus();
}

}  // namespace lathe::emit
