#include "generator/interp/kernel/spin_wait_steps.h"

#include "generator/interp/kernel/call_steps.h"
#include "generator/interp/kernel/mbarrier_steps.h"

namespace lathe::interp {
namespace {

// Repetitions of an unchanged read, with other threads running in between, after which the wait is
// reported as endless. A thread that reads more addresses than these reads data, not flags.
constexpr uint64_t kMaxSpins = 200'000;
constexpr size_t kMaxSpinAddresses = 1024;

}  // namespace

bool ContinuesAfterRead(Thread& t, const Instr* i, Bits value) {
  const auto [last, is_new] = t.last_reads.try_emplace(t.regs[i->a], value);
  if (is_new || last->second != value) {
    last->second = value;
    t.unchanged_reads = 0;
    t.others_ran = false;
    if (t.last_reads.size() > kMaxSpinAddresses) t.last_reads.clear();
    return true;
  }
  if (++t.unchanged_reads > kMaxSpins * t.last_reads.size()) {
    t.Stop(t.Error(i, "run-malformed-program")
           << "a thread has read the same value here " << kMaxSpins
           << " times and waits forever: no thread of its block can store another value, and "
              "blocks are evaluated in order, so a block cannot wait for a later one");
    return false;
  }
  t.others_ran = !t.others_ran;
  if (t.group == nullptr || !t.others_ran) return true;
  t.state = Thread::State::kSpinning;
  t.resume = i;
  return false;
}

const Instr* SpinLoadStep(Thread& t, const Instr* i) {
  const Instr* next = LoadThroughStep(t, i);
  return next != nullptr && ContinuesAfterRead(t, i, t.regs[i->dst]) ? next : nullptr;
}

const Instr* MbarrierTestStep(Thread& t, const Instr* i) {
  const Mbarrier* barrier = FindMbarrier(t, i, t.regs[i->a]);
  if (barrier == nullptr) return nullptr;
  t.regs[i->dst] = HasEnded(*barrier, t.regs[i->b]) ? 1 : 0;
  return ContinuesAfterRead(t, i, t.regs[i->dst]) ? i + 1 : nullptr;
}

}  // namespace lathe::interp
