#include "generator/interp/kernel/look_steps.h"

#include "generator/interp/kernel/call_steps.h"
#include "generator/interp/kernel/mbarrier_steps.h"

namespace lathe::interp {
namespace {

// Times that a thread finds the same at a place, while the others have their turns: more are a loop
// that waits for what nobody does. More places than these are no flags, but data.
constexpr uint64_t kMostLooks = 200'000;
constexpr size_t kMostPlaces = 1024;

}  // namespace

bool GoesOn(Thread& t, const Instr* i, Bits found) {
  const auto [place, is_new] = t.found.try_emplace(t.regs[i->a], found);
  if (is_new || place->second != found) {
    place->second = found;
    t.looks = 0;
    t.others_ran = false;
    if (t.found.size() > kMostPlaces) t.found.clear();
    return true;
  }
  if (++t.looks > kMostLooks * t.found.size()) {
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
