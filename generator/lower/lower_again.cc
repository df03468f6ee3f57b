#include "generator/lower/lower_again.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

// The variables that sizes of the routine's inputs are made of.
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

// The inputs of the next round; nothing when they do not fit where this round's are.
std::optional<std::vector<ir::Part>> NextInputs(RoutineBuilder& b, const ir::Binding& binding,
                                                const ir::Call& call) {
  const ir::Program& program = b.all.program;
  const ir::Routine& routine = program.routines[b.routine];
  std::vector<ir::Part> next;
  for (const ir::Operand& arg : call.args) {
    const auto form = b.FormOf(arg, binding.loc);
    if (!form) return std::nullopt;
    AppendParts(*form, next);
  }
  if (next.size() != routine.inputs.size()) return std::nullopt;
  for (size_t i = 0; i < next.size(); ++i) {
    const auto* from = std::get_if<TensorId>(&next[i]);
    const auto* to = std::get_if<TensorId>(&routine.inputs[i]);
    if ((from == nullptr) != (to == nullptr)) return std::nullopt;
    if (to == nullptr) {
      const PrimRef var = std::get<PrimRef>(routine.inputs[i]);
      PrimRef& value = std::get<PrimRef>(next[i]);
      value = b.all.ir.MakeCast(var->dtype(), value);
      if (value != var && IsSize(program, routine, var)) return std::nullopt;
      continue;
    }
    const ir::Tensor& given = program.tensors[*from];
    const ir::Tensor& wanted = program.tensors[*to];
    if (given.dtype != wanted.dtype || given.shape != wanted.shape) return std::nullopt;
    if (*from != *to && !b.may_view()) return std::nullopt;
  }
  return next;
}

}  // namespace

bool CallsItself(RoutineBuilder& b, const ir::Call& call) {
  const auto* gv = std::get_if<ir::GlobalId>(&call.callee);
  if (gv == nullptr || b.all.module.globals[*gv].function() == nullptr) return false;
  if (!b.all.CanBeRoutine(*b.all.module.globals[*gv].function())) return false;
  const Signature* signature = b.all.SignatureOf(*gv);
  return signature != nullptr && signature->id == b.routine;
}

bool LowerAgain(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call) {
  if (!CallsItself(b, call)) return false;
  auto next = NextInputs(b, binding, call);
  if (!next) return false;
  ir::Program& program = b.all.program;
  const std::vector<ir::Part> inputs = program.routines[b.routine].inputs;
  std::vector<TensorId> carried = program.routines[b.routine].carried;
  carried.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto* from = std::get_if<TensorId>(&(*next)[i]);
    if (from == nullptr || *from == std::get<TensorId>(inputs[i])) continue;
    ir::Tensor place = program.tensors[std::get<TensorId>(inputs[i])];
    place.home = ir::Home::kArena;
    if (program.tensors[program.Whole(*from)].home == ir::Home::kInput) {
      // Another input, which this round's copies would overwrite.
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
  b.Emit(ir::AgainStep{*std::move(next)}, binding.loc);
  return true;
}

}  // namespace lathe::lower
