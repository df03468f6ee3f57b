#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {
namespace {

bool IsSameSpan(const Location& a, const Location& b) {
  const auto* x = std::get_if<TextSpan>(&a);
  const auto* y = std::get_if<TextSpan>(&b);
  return x != nullptr && y != nullptr && x->file == y->file && x->begin == y->begin;
}

DiagnosticBuilder WithCaller(DiagnosticBuilder builder, const Thread& t, const Location& place) {
  const Location& called_at = t.machine->called_at;
  const bool own_place = !std::holds_alternative<std::monostate>(place);
  // The code of a graph expression has no name; its only caller is at that location.
  if (t.machine->code->name.empty()) return builder;
  // The loop nest of an operator has the location of the operator.
  if (IsSameSpan(place, called_at)) return builder;
  if (own_place && !std::holds_alternative<std::monostate>(called_at)) {
    return std::move(builder).Note(called_at,
                                   absl::StrCat("'", t.machine->code->name, "' was called here"));
  }
  return builder;
}

}  // namespace

Location Thread::Place(const Instr* at) const {
  const ir::StmtRef origin = machine->code->origins[at - machine->code->instrs.data()];
  if (origin != nullptr && !std::holds_alternative<std::monostate>(origin->loc())) {
    return origin->loc();
  }
  return machine->called_at;
}

DiagnosticBuilder Thread::Error(const Instr* at, absl::string_view code) {
  const Location place = Place(at);
  return WithCaller(machine->diags->Error(place, code), *this, place);
}

DiagnosticBuilder Thread::Unsupported(const Instr* at, absl::string_view code) {
  const Location place = Place(at);
  return WithCaller(machine->diags->Unsupported(place, code), *this, place);
}

DiagnosticBuilder Thread::LimitExceeded(const Instr* at, absl::string_view code) {
  const Location place = Place(at);
  return WithCaller(machine->diags->LimitExceeded(place, code), *this, place);
}

const Instr* Thread::Stop(DiagnosticBuilder&&) {
  state = State::kFailed;
  return nullptr;
}

Thread StartThread(Machine* machine) {
  Thread t;
  t.machine = machine;
  t.register_file = machine->code->registers;
  t.regs = t.register_file.data();
  t.operands = machine->code->operands.data();
  t.views.resize(machine->code->buffers.size());
  t.memories.resize(machine->code->memories + machine->args->size());
  return t;
}

}  // namespace lathe::interp
