// Barriers in shared memory that count arrivals and bytes, and the knowledge that threads gain by
// them.
#include <string.h>

#include <algorithm>
#include <vector>

#include "clocks.h"
#include "emulation.h"
#include "hopper.h"
#include "knowledge.h"

namespace lathe_emulation {
namespace {

struct Mbarrier {
  const void* at = nullptr;
  uint32_t arrivals = 0;  // of a phase
  uint32_t missing = 0;   // of the current phase
  int64_t bytes = 0;      // still expected; negative: bytes that arrived before they were expected
  uint32_t phase = 0;
  unsigned thread = 0;  // the thread that initialized it, and when
  uint32_t interval = 0;
  bool fenced = false;
  Known arriving,
      ended;  // knowledge of the threads that arrived in this phase, and in the previous one
  Seen seen_arriving, seen_ended;  // the same for vector clocks
};

// Of the running block.
std::vector<Mbarrier>& All() {
  static std::vector<Mbarrier> all;
  return all;
}

size_t NumberOf(const void* at) {
  const std::vector<Mbarrier>& all = All();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Mbarrier& b) { return b.at == at; });
  if (found == all.end())
    Fail("thread %u uses an mbarrier at %p that was not initialized", ThreadNumber(), at);
  const Moment now = Now();
  if (found->interval == now.interval && found->thread != now.thread) {
    Fail("thread %u uses an mbarrier that thread %u initialized without a barrier in between",
         now.thread, found->thread);
  }
  return (size_t)(found - all.begin());
}

void MayEnd(Mbarrier& barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
  barrier.ended = barrier.arriving;
  barrier.seen_ended = barrier.seen_arriving;
}

}  // namespace

void Known::Join(const Known& other) {
  for (size_t i = 0; i < phases.size(); ++i) phases[i] = std::max(phases[i], other.phases[i]);
  for (size_t i = 0; i < products.size(); ++i) {
    products[i] = std::max(products[i], other.products[i]);
  }
}

Known& KnownBy(unsigned thread) {
  static std::vector<Known> all(1024);
  return all[thread];
}

void BeginMbarriers(unsigned threads) {
  for (unsigned i = 0; i < threads && !All().empty(); ++i) KnownBy(i) = {};
  All().clear();
  BeginClocks(threads);
}

void Meet(const std::vector<unsigned>& threads) {
  if (!ClocksRun()) return;
  Known all;
  for (unsigned thread : threads) all.Join(KnownBy(thread));
  for (unsigned thread : threads) KnownBy(thread) = all;
  LearnOfEachOther(threads);
}

void BeginMbarrier(void* barrier, int arrivals) {
  if ((uintptr_t)barrier % sizeof(uint64_t) != 0)
    Fail("an mbarrier at %p, which is not a multiple of 8", barrier);
  const uintptr_t at = (uintptr_t)barrier;
  if (IsOnStack(at) || IsGlobal(at, sizeof(uint64_t)))
    Fail("an mbarrier at %p, which is not in shared memory", barrier);
  Access(at, sizeof(uint64_t), true);
  memset(barrier, 0, sizeof(uint64_t));
  for (const Mbarrier& other : All()) {
    if (other.at == barrier) Fail("the mbarrier at %p is initialized twice", (void*)barrier);
  }
  if (arrivals < 1 || arrivals >= 1 << 20) Fail("an mbarrier that expects %d arrivals", arrivals);
  if (All().size() == kMaxMbarriers) Fail("more than %zu mbarriers", kMaxMbarriers);
  Mbarrier made;
  made.at = barrier;
  made.arrivals = made.missing = (uint32_t)arrivals;
  made.thread = ThreadNumber();
  made.interval = Now().interval;
  All().push_back(made);
  StartClocks();
}

void MbarriersAreBegun() {
  for (Mbarrier& barrier : All())
    barrier.fenced = barrier.fenced || barrier.thread == ThreadNumber();
}

void Arrive(void* at, int bytes, int count) {
  const size_t number = NumberOf(at);
  if (bytes < 0 || bytes >= 1 << 20) Fail("an mbarrier must not expect %d bytes", bytes);
  All()[number].bytes += bytes;
  ArriveAt(number, ThreadNumber(), count);
}

void ArriveAt(size_t number, unsigned thread, int count) {
  Mbarrier& barrier = All()[number];
  if (count < 1 || (uint32_t)count > barrier.missing) {
    Fail("thread %u arrives at the mbarrier at %p, where all of its phase have", thread,
         barrier.at);
  }
  barrier.arriving.Join(KnownBy(thread));
  Tell(thread, barrier.seen_arriving);
  NoteChange();
  barrier.missing -= (uint32_t)count;
  MayEnd(barrier);
}

void ExpectOneMore(size_t number) { ++All()[number].missing; }

bool PhaseHasEnded(size_t mbarrier, uint32_t parity) { return All()[mbarrier].phase % 2 != parity; }

uint32_t TestPhase(void* at, uint32_t parity, bool waits) {
  if (parity > 1) Fail("a phase of parity %u", parity);
  const size_t number = NumberOf(at);
  while (waits && !PhaseHasEnded(number, parity)) AwaitPhase(number, parity);
  const bool ended = PhaseHasEnded(number, parity) ||
                     (Look((uintptr_t)at, All()[number].phase) && PhaseHasEnded(number, parity));
  if (!ended) return 0;
  Known& own = KnownBy(ThreadNumber());
  own.Join(All()[number].ended);
  own.phases[number] = std::max(own.phases[number], All()[number].phase);
  Learn(ThreadNumber(), All()[number].seen_ended);
  return 1;
}

bool LacksBytes(size_t mbarrier) { return All()[mbarrier].bytes != 0; }

void FailAwaiting(unsigned thread, size_t mbarrier, uint32_t parity) {
  const Mbarrier& barrier = All()[mbarrier];
  Fail(
      "thread %u waits forever for phase %u, of parity %u, of mbarrier %zu at %p: %u arrivals and "
      "%lld bytes are missing",
      thread, barrier.phase, parity, mbarrier, barrier.at, barrier.missing,
      (long long)barrier.bytes);
}

MbarrierPhase PhaseOf(const void* mbarrier, bool by_accelerator) {
  const size_t number = NumberOf(mbarrier);
  if (by_accelerator && !All()[number].fenced) {
    Fail("a copy arrives at the mbarrier at %p, without a fence since its initialization",
         mbarrier);
  }
  return {number, All()[number].phase};
}

void BytesArrive(size_t mbarrier, int64_t bytes) {
  Mbarrier& barrier = All()[mbarrier];
  barrier.bytes -= bytes;
  NoteChange();
  MayEnd(barrier);
}

}  // namespace lathe_emulation
