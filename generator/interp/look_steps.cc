#include "generator/interp/look_steps.h"

#include "generator/interp/call_steps.h"
#include "generator/interp/mbarrier_steps.h"

namespace lathe::interp {
namespace {

// Times that a thread finds the same where it looks, while the others have their turns: more are a
// loop that waits for what nobody does.
constexpr uint32_t kMostLooks = 200'000;

// Whether the thread goes on with what it found.
bool GoesOn(Thread& t, const Instr* i, Bits found) {
  const Bits at = t.regs[i->a];
  if (t.looked_at != at || t.found != found) {
    t.looked_at = at;
    t.found = found;
    t.looks = 0;
    t.others_ran = false;
    return true;
  }
  if (++t.looks > kMostLooks) {
    t.Stop(t.Error(i, "run-malformed-program")
           << "a thread has found the same here " << kMostLooks
           << " times and waits for ever: no thread of its block is left to store something else, "
              "and blocks run one after the other, so that none can wait for a later one");
    return false;
  }
  t.others_ran = !t.others_ran;
  if (t.group == nullptr || !t.others_ran) return true;
  t.state = Thread::State::kLooking;
  t.resume = i;
  return false;
}

}  // namespace

const Instr* LookStep(Thread& t, const Instr* i) {
  const Instr* next = LoadThroughStep(t, i);
  return next != nullptr && GoesOn(t, i, t.regs[i->dst]) ? next : nullptr;
}

const Instr* MbarrierTestStep(Thread& t, const Instr* i) {
  const Mbarrier* barrier = FindMbarrier(t, i, t.regs[i->a]);
  if (barrier == nullptr) return nullptr;
  t.regs[i->dst] = HasEnded(*barrier, t.regs[i->b]) ? 1 : 0;
  return GoesOn(t, i, t.regs[i->dst]) ? i + 1 : nullptr;
}

}  // namespace lathe::interp
