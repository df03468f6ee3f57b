#include "generator/interp/kernel/mbarrier_steps.h"

#include <cstring>

#include "absl/strings/match.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/ir/device/address_numbered_barriers.h"

namespace lathe::interp {
namespace {

constexpr uint64_t kChunk = 16;  // bytes; bulk copies move multiples

// Memory is shared if a buffer in shared memory views it, wherever it was allocated.
bool IsShared(const Thread& t, const Pointer& p) {
  if (t.group == nullptr || p.memory == nullptr) return false;
  const std::vector<BufferInfo>& buffers = t.machine->code->buffers;
  for (size_t n = 0; n < buffers.size(); ++n) {
    if (t.views[n].memory == p.memory && absl::StartsWith(buffers[n].scope, "shared")) return true;
  }
  return false;
}

// The barrier at a pointer. Null, after reporting an error, when there is none.
Mbarrier* Find(Thread& t, const Instr* i, Bits pointer, bool begins) {
  const Pointer p = PointerIn(t, pointer);
  const auto error = [&] { return t.Error(i, "run-malformed-program"); };
  if (!IsShared(t, p)) {
    t.Stop(error() << "a barrier must be " << ir::kBarrierBytes
                   << " bytes of shared memory of a block");
    return nullptr;
  }
  if (p.offset % ir::kBarrierBytes != 0) {
    t.Stop(error() << "a barrier must start at a multiple of " << ir::kBarrierBytes
                   << " bytes, got byte " << p.offset << " of its memory");
    return nullptr;
  }
  if (p.offset + ir::kBarrierBytes > p.memory->size()) {
    t.Stop(error() << "barrier " << p.offset / ir::kBarrierBytes
                   << " does not exist: its memory has " << p.memory->size() / ir::kBarrierBytes
                   << " barriers, counted from 0");
    return nullptr;
  }
  const auto key = std::make_pair(static_cast<const Storage*>(p.memory.get()), p.offset);
  if (begins) {
    const auto [made, is_new] = t.group->mbarriers.try_emplace(key);
    if (is_new) return &made->second;
    t.Stop(error() << "a barrier is initialized a second time");
    return nullptr;
  }
  const auto found = t.group->mbarriers.find(key);
  if (found != t.group->mbarriers.end()) return &found->second;
  t.Stop(t.Error(i, "run-malformed-program") << "a barrier is used before it is initialized");
  return nullptr;
}

void EndPhaseIfComplete(Thread& t, Mbarrier& barrier) {
  ++t.group->events;
  if (barrier.missing != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
}

}  // namespace

Mbarrier* FindMbarrier(Thread& t, const Instr* i, Bits pointer) {
  return Find(t, i, pointer, false);
}

bool HasEnded(const Mbarrier& barrier, Bits parity) { return barrier.phase % 2 != (parity & 1); }

const Instr* MbarrierBeginStep(Thread& t, const Instr* i) {
  const int64_t arrivals = static_cast<int64_t>(t.regs[i->b]);
  if (arrivals < 1 || arrivals > ir::kMaxArrivals) {
    return t.Stop(t.Error(i, "run-malformed-program")
                  << "a barrier must expect 1 to " << ir::kMaxArrivals << " arrivals, got "
                  << arrivals);
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
                  << count << " arrivals at a barrier whose phase expects " << barrier->missing
                  << " more");
  }
  if (i->c != kNone) {
    const int64_t bytes = static_cast<int64_t>(t.regs[i->c]);
    if (bytes < 0 || bytes > ir::kMaxArrivals) {
      return t.Stop(t.Error(i, "run-malformed-program")
                    << "a barrier can expect 0 to " << ir::kMaxArrivals << " bytes at once, got "
                    << bytes);
    }
    barrier->bytes += bytes;
  }
  barrier->missing -= count;
  EndPhaseIfComplete(t, *barrier);
  return i + 1;
}

const Instr* MbarrierWaitStep(Thread& t, const Instr* i) {
  const Mbarrier* barrier = Find(t, i, t.regs[i->a], false);
  if (barrier == nullptr) return nullptr;
  if (HasEnded(*barrier, t.regs[i->b])) {
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
                  << to.offset << "; size and offsets must be multiples of " << kChunk);
  }
  const auto holds = [&](const Pointer& p) {
    return p.memory != nullptr && p.memory->size() - p.offset >= bytes;
  };
  if (!holds(to) || !holds(from)) {
    return t.Stop(t.Error(i, "run-out-of-bounds")
                  << "a pointer does not point to " << bytes << " bytes of memory");
  }
  std::memmove(to.memory->data() + to.offset, from.memory->data() + from.offset, bytes);
  if (i->d == kNone) return i + 1;
  Mbarrier* barrier = Find(t, i, t.regs[i->d], false);
  if (barrier == nullptr) return nullptr;
  barrier->bytes -= static_cast<int64_t>(bytes);
  EndPhaseIfComplete(t, *barrier);
  return i + 1;
}

}  // namespace lathe::interp
