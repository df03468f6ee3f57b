#include "generator/lower/lower_tail_recursion.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/param_roots.h"
#include "generator/lower/structure_of.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

// Returns whether `var` occurs in a size of the routine's inputs.
bool IsSize(const ir::Program& program, const ir::Routine& routine, PrimRef var) {
  for (const ir::Part& part : routine.inputs) {
    const auto* id = std::get_if<TensorId>(&part);
    if (id == nullptr) continue;
    for (PrimRef dim : program.tensors[*id].shape) {
      for (PrimRef used : analysis::VarsIn(dim)) {
        if (used == var) return true;
      }
    }
  }
  return false;
}

// Returns the arguments of the next iteration. Returns nothing if the call needs a routine for
// another structure of arguments.
std::optional<std::vector<Form>> NextArguments(RoutineBuilder& b, const ir::Binding& binding,
                                               const ir::Call& call) {
  const ir::Program& program = b.lowering.program;
  const std::vector<Form> params = program.routines[b.routine].params;
  std::vector<Form> args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    auto form = b.FormOf(call.args[i], binding.loc);
    if (!form || i >= params.size()) return std::nullopt;
    const bool any = AsBoxed(program, params[i]).has_value();
    if (!any && StructureOf(program, *form) != StructureOf(program, params[i])) return std::nullopt;
    args.push_back(*std::move(form));
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (!AsBoxed(program, params[i])) continue;
    const ir::Value& param = b.lowering.module.values[b.function.params[i]];
    auto fitted = ConvertForm(b, args[i], params[i], param.info, param.name, binding.loc);
    if (!fitted) return std::nullopt;
    args[i] = *std::move(fitted);
  }
  return args;
}

// Returns the inputs of the next iteration, or nothing if they do not match the current ones.
std::optional<std::vector<ir::Part>> NextInputs(RoutineBuilder& b, const ir::Binding& binding,
                                                const ir::Call& call) {
  const ir::Program& program = b.lowering.program;
  const ir::Routine& routine = program.routines[b.routine];
  std::vector<ir::Part> next;
  const bool apart =
      b.may_view() ||
      ParamRoots(b.lowering.module, b.lowering.effects, b.function).KeepsParamsDisjoint(call);
  const auto args = NextArguments(b, binding, call);
  if (!args) return std::nullopt;
  for (const Form& arg : *args) AppendParts(arg, next);
  if (next.size() != routine.inputs.size()) return std::nullopt;
  for (size_t i = 0; i < next.size(); ++i) {
    const auto* from = std::get_if<TensorId>(&next[i]);
    const auto* to = std::get_if<TensorId>(&routine.inputs[i]);
    if ((from == nullptr) != (to == nullptr)) return std::nullopt;
    if (to == nullptr) {
      const PrimRef var = std::get<PrimRef>(routine.inputs[i]);
      PrimRef& value = std::get<PrimRef>(next[i]);
      value = b.lowering.ir.MakeCast(var->dtype(), value);
      if (value != var && IsSize(program, routine, var)) return std::nullopt;
      continue;
    }
    const ir::Tensor& given = program.tensors[*from];
    const ir::Tensor& wanted = program.tensors[*to];
    if (given.dtype != wanted.dtype || given.shape != wanted.shape) return std::nullopt;
    if (*from != *to && !apart) return std::nullopt;
  }
  return next;
}

}  // namespace

bool CallsItself(RoutineBuilder& b, const ir::Call& call) {
  const auto* gv = std::get_if<ir::GlobalId>(&call.callee);
  return gv != nullptr && b.lowering.module.globals[*gv].function() == &b.function;
}

bool LowerTailRecursion(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call) {
  if (!CallsItself(b, call)) return false;
  auto next = NextInputs(b, binding, call);
  if (!next) return false;
  ir::Program& program = b.lowering.program;
  const std::vector<ir::Part> inputs = program.routines[b.routine].inputs;
  std::vector<TensorId> carried = program.routines[b.routine].carried;
  carried.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto* from = std::get_if<TensorId>(&(*next)[i]);
    if (from == nullptr || *from == std::get<TensorId>(inputs[i])) continue;
    ir::Tensor place = program.tensors[std::get<TensorId>(inputs[i])];
    place.home = ir::Home::kArena;
    const ir::Home home = program.tensors[program.Whole(*from)].home;
    if (home == ir::Home::kInput || home == ir::Home::kPointer) {
      // The source is or may alias another input, which the copies of this iteration would
      // overwrite.
      ir::Tensor copy = place;
      copy.name = absl::StrCat(place.name, "_next");
      const TensorId to = program.tensors.Add(std::move(copy));
      b.Emit(ir::CopyStep{*from, to}, binding.loc);
      *from = to;
    }
    if (carried[i].valid()) continue;
    place.name = absl::StrCat(place.name, "_now");
    carried[i] = program.tensors.Add(std::move(place));
  }
  program.routines[b.routine].carried = std::move(carried);
  program.routines[b.routine].loops = true;
  b.Emit(ir::TailCallStep{*std::move(next)}, binding.loc);
  return true;
}

}  // namespace lathe::lower
