#include "generator/interp/mbarrier_steps.h"

#include <cstring>

#include "generator/interp/memory_steps.h"
#include "generator/interp/thread_group.h"

namespace lathe::interp {
namespace {

constexpr int64_t kMostArrivals = (1 << 20) - 1;
constexpr uint64_t kChunk = 16;  // that bulk copies move

// The barrier behind a pointer; null, and a message, where there is none.
Mbarrier* Find(Thread& t, const Instr* i, Bits pointer, bool begins) {
  const Pointer p = PointerIn(t, pointer);
  if (t.group == nullptr || p.memory == nullptr || p.memory->size() - p.offset < sizeof(uint64_t)) {
    t.Stop(t.Error(i, "run-malformed-program")
           << "a barrier is 8 bytes of shared memory of a block of threads");
    return nullptr;
  }
  const auto key = std::make_pair(static_cast<const Storage*>(p.memory.get()), p.offset);
  if (begins) return &t.group->mbarriers[key];
  const auto found = t.group->mbarriers.find(key);
  if (found != t.group->mbarriers.end()) return &found->second;
  t.Stop(t.Error(i, "run-malformed-program") << "a barrier is used before it was begun");
  return nullptr;
}

void MayEnd(Thread& t, Mbarrier& barrier) {
  ++t.group->events;
  if (barrier.missing != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
}

}  // namespace

const Instr* MbarrierBeginStep(Thread& t, const Instr* i) {
  const int64_t arrivals = static_cast<int64_t>(t.regs[i->b]);
  if (arrivals < 1 || arrivals > kMostArrivals) {
    return t.Stop(t.Error(i, "run-malformed-program")
                  << "a barrier of " << arrivals << " arrivals; it has 1 to " << kMostArrivals);
  }
  Mbarrier* barrier = Find(t, i, t.regs[i->a], true);
  if (barrier == nullptr) return nullptr;
  *barrier = {arrivals, arrivals, 0, 0};
  return i + 1;
}

const Instr* MbarrierArriveStep(Thread& t, const Instr* i) {
  Mbarrier* barrier = Find(t, i, t.regs[i->a], false);
  if (barrier == nullptr) return nullptr;
  const int64_t count = static_cast<int64_t>(t.regs[i->b]);
  if (count < 1 || count > barrier->missing) {
    return t.Stop(t.Error(i, "run-malformed-program")
                  << count << " arrive at a barrier of whose phase " << barrier->missing
                  << " arrivals are missing");
  }
  if (i->c != kNone) barrier->bytes += static_cast<int64_t>(t.regs[i->c]);
  barrier->missing -= count;
  MayEnd(t, *barrier);
  return i + 1;
}

const Instr* MbarrierWaitStep(Thread& t, const Instr* i) {
  const Mbarrier* barrier = Find(t, i, t.regs[i->a], false);
  if (barrier == nullptr) return nullptr;
  if (barrier->phase % 2 != (t.regs[i->b] & 1)) {
    ++t.group->events;
    return i + 1;
  }
  t.state = Thread::State::kAwaiting;
  t.resume = i;
  return nullptr;
}

const Instr* BulkCopyStep(Thread& t, const Instr* i) {
  const uint64_t bytes = t.regs[i->c];
  const Pointer to = PointerIn(t, t.regs[i->a]), from = PointerIn(t, t.regs[i->b]);
  if (bytes % kChunk != 0 || to.offset % kChunk != 0 || from.offset % kChunk != 0) {
    return t.Stop(t.Error(i, "run-malformed-program")
                  << "a copy of " << bytes << " bytes from byte " << from.offset << " to byte "
                  << to.offset << "; all are multiples of " << kChunk);
  }
  const auto holds = [&](const Pointer& p) {
    return p.memory != nullptr && p.memory->size() - p.offset >= bytes;
  };
  if (!holds(to) || !holds(from)) {
    return t.Stop(t.Error(i, "run-out-of-bounds")
                  << "a pointer leads to no " << bytes << " bytes of memory");
  }
  std::memmove(to.memory->data() + to.offset, from.memory->data() + from.offset, bytes);
  if (i->d == kNone) return i + 1;
  Mbarrier* barrier = Find(t, i, t.regs[i->d], false);
  if (barrier == nullptr) return nullptr;
  barrier->bytes -= static_cast<int64_t>(bytes);
  MayEnd(t, *barrier);
  return i + 1;
}

}  // namespace lathe::interp
