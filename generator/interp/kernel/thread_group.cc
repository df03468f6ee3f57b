#include "generator/interp/kernel/thread_group.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "generator/interp/data/limits.h"

namespace lathe::interp {
namespace {

using State = Thread::State;

// A copy of `t` that starts at `resume`.
Thread Spawn(const Thread& t, const Instr* resume, int parent) {
  Thread child = t;
  child.regs = child.register_file.data();
  child.state = State::kRunning;
  child.resume = resume;
  child.parent = parent;
  child.children = 0;
  return child;
}

// Ends a thread. Its parent resumes after its last child.
void EndThread(ThreadGroup& group, size_t index) {
  const int parent = group.threads[index].parent;
  if (parent < 0) return;
  Thread& p = group.threads[static_cast<size_t>(parent)];
  if (--p.children == 0) p.state = State::kRunning;
}

// Resumes a waiting thread with a snapshot of the published values.
void Release(Thread& t) {
  t.snapshot = t.published;
  t.published.clear();
  t.state = State::kRunning;
}

// Resumes lanes whose exchange partners have all arrived. False when there are none.
bool ReleaseWarps(ThreadGroup& group) {
  std::map<uint32_t, uint32_t> arrived;  // lanes that exchange, by warp
  std::map<uint32_t, uint32_t> running;  // lanes that have not ended
  const auto lane_of = [&](const Thread& t) { return uint32_t{1} << RankOf(group, t) % kWarp; };
  for (const Thread& t : group.threads) {
    if (!IsThread(t) || t.state == State::kDone) continue;
    const uint32_t warp = RankOf(group, t) / kWarp;
    running[warp] |= lane_of(t);
    if (t.state == State::kExchanging) arrived[warp] |= lane_of(t);
  }
  std::vector<Thread*> ready;
  for (Thread& t : group.threads) {
    if (t.state != State::kExchanging) continue;
    const uint32_t warp = RankOf(group, t) / kWarp;
    if ((t.awaited & running[warp] & ~arrived[warp]) == 0) ready.push_back(&t);
  }
  for (Thread* t : ready) Release(*t);
  return !ready.empty();
}

bool FailExchange(Thread& t) {
  const Instr* at = t.resume - 1;
  t.Stop(t.Error(at, "run-malformed-program")
         << "thread " << RankOf(*t.group, t)
         << " of its block waits for threads of its warp that wait at a block barrier");
  return false;
}

// A thread that waits for a phase that no thread can end.
Thread* FindAwaiting(ThreadGroup& group) {
  for (Thread& t : group.threads) {
    if (t.state == State::kAwaiting) return &t;
  }
  return nullptr;
}

bool FailWait(Thread& t) {
  t.Stop(
      t.Error(t.resume, "run-malformed-program")
      << "thread " << RankOf(*t.group, t)
      << " of its block waits forever: no thread can arrive at the barrier or copy the bytes that "
         "it expects");
  return false;
}

// True when a thread spins, which may end its wait at any time.
bool AnySpins(const ThreadGroup& group) {
  return absl::c_any_of(group.threads, [](const Thread& t) { return t.state == State::kSpinning; });
}

// Resumes threads that wait for a phase or spin.
void ResumeWaiting(ThreadGroup& group) {
  for (Thread& t : group.threads) {
    if (t.state == State::kAwaiting || t.state == State::kSpinning) t.state = State::kRunning;
  }
}

bool RunGroup(ThreadGroup& group) {
  for (;;) {
    bool ran = false;
    // The list grows during iteration: threads that fork append their children.
    for (size_t n = 0; n < group.threads.size(); ++n) {
      Thread& t = group.threads[n];
      if (t.state != State::kRunning) continue;
      const Instr* before = t.resume;
      const uint64_t events = group.events;
      RunSteps(t, t.resume);
      if (t.state == State::kFailed) return false;
      const bool still_waits =
          t.state == State::kAwaiting && t.resume == before && group.events == events;
      ran = ran || (!still_waits && t.state != State::kSpinning);
      if (t.state == State::kDone) EndThread(group, n);
    }
    if (ran) {
      ResumeWaiting(group);
      continue;
    }
    // All threads have read the published values; those of ended threads are no longer valid.
    for (Thread& t : group.threads) {
      if (t.state == State::kDone || t.state == State::kSplit) t.snapshot.clear();
    }
    // A block barrier completes only when no exchange of a warp can.
    if (ReleaseWarps(group)) continue;
    if (AnySpins(group)) {
      ResumeWaiting(group);
      continue;
    }
    if (Thread* stuck = FindAwaiting(group)) return FailWait(*stuck);
    bool waited = false;
    for (Thread& t : group.threads) {
      if (t.state == State::kExchanging) return FailExchange(t);
      if (t.state != State::kAtBarrier) continue;
      Release(t);
      waited = true;
    }
    if (!waited) return true;
  }
}

}  // namespace

bool IsThread(const Thread& t) { return t.state != State::kSplit && t.children == 0; }

uint32_t RankOf(const ThreadGroup& g, const Thread& t) {
  return t.index[0] + g.extent[0] * (t.index[1] + g.extent[1] * t.index[2]);
}

const Instr* ForkStep(Thread& t, const Instr* i) {
  const int64_t min = static_cast<int64_t>(t.regs[i->a]);
  const int64_t extent = static_cast<int64_t>(t.regs[i->b]);
  const Instr* after = t.machine->code->instrs.data() + i->c;
  const uint32_t axis = i->d;
  if (extent <= 0) return after;
  ThreadGroup fresh;
  ThreadGroup& group = t.group != nullptr ? *t.group : fresh;
  if (extent > kMaxThreads ||
      group.threads.size() + static_cast<size_t>(extent) > 2 * kMaxThreads) {
    return t.Stop(t.LimitExceeded(i, "run-thread-limit")
                  << "more than " << kMaxThreads << " threads would synchronize at barriers");
  }
  group.extent[axis] = static_cast<uint32_t>(extent);
  int parent = -1;
  if (t.group != nullptr) {
    for (size_t n = 0; n < group.threads.size(); ++n) {
      if (&group.threads[n] == &t) parent = static_cast<int>(n);
    }
    t.children = static_cast<int>(extent);
    t.state = State::kSplit;
    t.resume = after;
  }
  for (int64_t n = 0; n < extent; ++n) {
    Thread child = Spawn(t, i + 1, parent);
    child.group = &group;
    child.index[axis] = static_cast<uint32_t>(n);
    child.regs[i->dst] = CastBits(ir::DType::Int(64), static_cast<Bits>(min + n), i->type);
    group.threads.push_back(std::move(child));
    group.threads.back().regs = group.threads.back().register_file.data();
  }
  if (t.group != nullptr) return nullptr;
  if (!RunGroup(group)) {
    t.state = State::kFailed;
    return nullptr;
  }
  return after;
}

const Instr* BarrierStep(Thread& t, const Instr* i) {
  if (t.group == nullptr) return i + 1;
  t.state = State::kAtBarrier;
  t.resume = i + 1;
  return nullptr;
}

const Instr* PublishStep(Thread& t, const Instr* i) {
  t.published.clear();
  for (uint32_t n = 0; n < i->c; ++n) t.published.push_back(t.regs[t.operands[i->b + n]]);
  if (t.group == nullptr) {
    t.snapshot = t.published;
    return i + 1;
  }
  return BarrierStep(t, i);
}

const Instr* ExchangeStep(Thread& t, const Instr* i) {
  const Instr* next = PublishStep(t, i);
  if (t.group == nullptr) return next;
  t.state = State::kExchanging;
  t.awaited = i->a == kNone ? ~uint32_t{0} : static_cast<uint32_t>(t.regs[i->a]);
  return nullptr;
}

const Instr* ShuffleStep(Thread& t, const Instr* i) {
  const Bits own = t.snapshot.empty() ? 0 : t.snapshot[0];
  t.regs[i->dst] = own;
  if (t.group == nullptr) return i + 1;
  const int64_t warp = std::max<int64_t>(1, static_cast<int64_t>(t.regs[i->c]));
  const int64_t width = std::clamp<int64_t>(static_cast<int64_t>(t.regs[i->b]), 1, warp);
  const int64_t operand = std::clamp<int64_t>(static_cast<int64_t>(t.regs[i->a]), -warp, warp);
  const int64_t me = RankOf(*t.group, t);
  const int64_t first = me / warp * warp;
  const int64_t lane = me - first;
  const int64_t segment = lane / width * width;
  int64_t source = lane;
  switch (static_cast<ShuffleKind>(i->d)) {
    case ShuffleKind::kIndex:
      source = segment + ((operand % width) + width) % width;
      break;
    case ShuffleKind::kUp:
      source = lane - operand;
      break;
    case ShuffleKind::kDown:
      source = lane + operand;
      break;
    case ShuffleKind::kXor:
      source = lane ^ operand;
      break;
  }
  // As in hardware, a lane outside the segment gets its own value.
  if (source < segment || source >= segment + width) return i + 1;
  for (const Thread& other : t.group->threads) {
    if (!IsThread(other) || other.snapshot.empty()) continue;
    if (RankOf(*t.group, other) == first + source) t.regs[i->dst] = other.snapshot[0];
  }
  return i + 1;
}

const Instr* ReduceStartStep(Thread& t, const Instr* i) {
  t.cursor = 0;
  return i + 1;
}

const Instr* ReduceNextStep(Thread& t, const Instr* i) {
  const size_t count = t.group == nullptr ? 1 : t.group->threads.size();
  while (t.cursor < count) {
    const Thread& other = t.group == nullptr ? t : t.group->threads[t.cursor];
    ++t.cursor;
    if (other.state == State::kSplit || other.children != 0) continue;
    if (other.snapshot.size() != i->c + 1 || other.snapshot.back() == 0) continue;
    bool counts = true;
    for (int axis = 0; axis < 3; ++axis) {
      if ((i->d >> axis & 1) != 0) counts &= other.index[axis] == t.index[axis];
    }
    if (!counts) continue;
    for (uint32_t n = 0; n < i->c; ++n) t.regs[t.operands[i->b + n]] = other.snapshot[n];
    return i + 1;
  }
  return t.machine->code->instrs.data() + i->a;
}

const Instr* ThreadIndexStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = t.index[i->a];
  return i + 1;
}

}  // namespace lathe::interp
