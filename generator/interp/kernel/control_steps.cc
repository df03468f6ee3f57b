#include "generator/interp/kernel/control_steps.h"

#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lathe::interp {
namespace {

bool OutOfSteps(Thread& t) { return --*t.machine->steps_left <= 0; }

const Instr* StepLimit(Thread& t, const Instr* i) {
  return t.Stop(t.LimitExceeded(i, "run-step-limit")
                << "the limit on loop iterations and calls was reached");
}

const Instr* At(Thread& t, uint32_t target) { return t.machine->code->instrs.data() + target; }

const Instr* StopWith(Thread& t, const Instr* i, const TrapInfo& trap) {
  switch (trap.blame) {
    case Blame::kMalformed:
      return t.Stop(t.Error(i, trap.code) << trap.message);
    case Blame::kUnsupported:
      return t.Stop(t.Unsupported(i, trap.code) << trap.message);
    case Blame::kLimit:
      break;
  }
  return t.Stop(t.LimitExceeded(i, trap.code) << trap.message);
}

void SetVariable(Thread& t, const Instr* i) {
  t.regs[i->dst] = CastBits(ir::DType::Int(64), t.regs[i->a], i->type);
}

}  // namespace

const Instr* JumpStep(Thread& t, const Instr* i) { return At(t, i->a); }

const Instr* BackJumpStep(Thread& t, const Instr* i) {
  if (OutOfSteps(t)) return StepLimit(t, i);
  return At(t, i->a);
}

const Instr* JumpIfFalseStep(Thread& t, const Instr* i) {
  return t.regs[i->a] != 0 ? i + 1 : At(t, i->b);
}

const Instr* LoopEnterStep(Thread& t, const Instr* i) {
  const int64_t min = static_cast<int64_t>(t.regs[i->b]);
  const int64_t extent = static_cast<int64_t>(t.regs[i->c]);
  const int64_t step = static_cast<int64_t>(t.regs[i->a + 2]);
  if (step <= 0) {
    return t.Stop(t.Error(i, "run-loop-step")
                  << "the step of this loop is " << step << "; it must be at least 1");
  }
  int64_t end = 0;
  if (__builtin_add_overflow(min, extent, &end)) end = std::numeric_limits<int64_t>::max();
  t.regs[i->a] = static_cast<Bits>(min);
  t.regs[i->a + 1] = static_cast<Bits>(end);
  if (extent <= 0) return i + 1;
  SetVariable(t, i);
  return i + 2;
}

const Instr* LoopNextStep(Thread& t, const Instr* i) {
  if (OutOfSteps(t)) return StepLimit(t, i);
  int64_t counter = static_cast<int64_t>(t.regs[i->a]);
  const int64_t end = static_cast<int64_t>(t.regs[i->a + 1]);
  if (__builtin_add_overflow(counter, static_cast<int64_t>(t.regs[i->a + 2]), &counter)) {
    return i + 1;
  }
  if (counter >= end) return i + 1;
  t.regs[i->a] = static_cast<Bits>(counter);
  SetVariable(t, i);
  return At(t, i->b);
}

const Instr* TrapStep(Thread& t, const Instr* i) {
  return StopWith(t, i, t.machine->code->traps[i->a]);
}

const Instr* TrapIfFalseStep(Thread& t, const Instr* i) {
  if (t.regs[i->a] != 0) return i + 1;
  return StopWith(t, i, t.machine->code->traps[i->b]);
}

const Instr* EndStep(Thread& t, const Instr*) {
  t.state = Thread::State::kDone;
  return nullptr;
}

const Instr* CheckEqualStep(Thread& t, const Instr* i) {
  if (t.regs[i->a] == t.regs[i->b]) return i + 1;
  const TrapInfo& trap = t.machine->code->traps[i->c];
  const std::string wanted = absl::StrCat(" ", static_cast<int64_t>(t.regs[i->a]));
  // A literal is printed in the message already.
  const bool is_printed = absl::EndsWith(trap.message, wanted);
  DiagnosticBuilder error = t.Error(i, trap.code);
  error << trap.message << (is_printed ? "" : absl::StrCat(", which is", wanted)) << ", got "
        << static_cast<int64_t>(t.regs[i->b]);
  if (!trap.note.message.empty()) std::move(error).Note(trap.note.loc, trap.note.message);
  return t.Stop(std::move(error));
}

}  // namespace lathe::interp
