// Loads and stores with memory order: an acquire of a released value synchronizes the threads. A
// fence before the store or after the load is equivalent to a release or an acquire.
#include "ordered.h"

#include <iterator>
#include <unordered_map>
#include <vector>

#include "clocks.h"
#include "emulation.h"

namespace lathe_emulation {
namespace {

// What an acquire learns: for threads of any block, or of the storing one.
struct Told {
  Past far, near;

  void Add(const Told& other) {
    Join(far, other.far);
    Join(near, other.near);
  }
};

// Of a thread: what it learns at its next fence, and what its stores publish since the last one.
struct BetweenFences {
  Told looked, fenced;
};

struct Ordered {
  uint32_t launch = 0, block = 0;
  std::unordered_map<uintptr_t, Told> stored;  // by address
  std::vector<BetweenFences> threads;          // of the running block
};

// Launches are sequential, and each block has its own shared memory.
Ordered& TheOrdered() {
  static Ordered ordered;
  const Moment now = Now();
  if (ordered.launch != now.launch) ordered = {};
  if (ordered.block != now.block) {
    ordered.threads.clear();
    for (auto row = ordered.stored.begin(); row != ordered.stored.end();) {
      row = IsGlobal(row->first, 1) ? std::next(row) : ordered.stored.erase(row);
    }
  }
  ordered.launch = now.launch;
  ordered.block = now.block;
  StartClocks();
  return ordered;
}

BetweenFences& OfThread(Ordered& ordered, unsigned thread) {
  if (thread >= ordered.threads.size()) ordered.threads.resize(thread + 1);
  return ordered.threads[thread];
}

// What is published within the running block only.
Past OwnPart(const Past& past) {
  const auto own = past.find(Now().block);
  return own == past.end() ? Past() : Past{*own};
}

void LearnIn(Scope scope, const Told& told) {
  const unsigned thread = ThreadNumber();
  Learn(thread, scope == Scope::kGpu ? told.far : OwnPart(told.far));
  Learn(thread, OwnPart(told.near));
}

Told Telling(Scope scope) {
  Told told;
  told.near = TellOthers(ThreadNumber());
  if (scope == Scope::kGpu) told.far = told.near;
  return told;
}

}  // namespace

void Fence(Scope scope) {
  if (!IsRunning()) return;
  BetweenFences& own = OfThread(TheOrdered(), ThreadNumber());
  LearnIn(scope, own.looked);
  const Told told = Telling(scope);
  own.fenced.near = told.near;
  if (scope == Scope::kGpu) own.fenced.far = told.far;
}

bool FindAgain(const void* at, uint64_t found) { return IsRunning() && Look((uintptr_t)at, found); }

void SeeLoad(const void* at, size_t bytes, bool acquires, Scope scope) {
  Access((uintptr_t)at, bytes, false, true,
         scope == Scope::kGpu ? Strength::kGpu : Strength::kBlock);
  if (!IsRunning()) return;
  Ordered& ordered = TheOrdered();
  const auto stored = ordered.stored.find((uintptr_t)at);
  if (stored == ordered.stored.end()) return;
  if (acquires) {
    LearnIn(scope, stored->second);
  } else {
    OfThread(ordered, ThreadNumber()).looked.Add(stored->second);
  }
}

void SeeStore(const void* at, size_t bytes, bool releases, Scope scope) {
  Access((uintptr_t)at, bytes, true, true,
         scope == Scope::kGpu ? Strength::kGpu : Strength::kBlock);
  if (!IsRunning()) return;
  Ordered& ordered = TheOrdered();
  ordered.stored[(uintptr_t)at] =
      releases ? Telling(scope) : OfThread(ordered, ThreadNumber()).fenced;
}

void SeeChange(const void* at, bool changes, bool stores) {
  if (!IsRunning()) return;
  if (changes) NoteChange();
  Ordered& ordered = TheOrdered();
  BetweenFences& own = OfThread(ordered, ThreadNumber());
  Told& stored = ordered.stored[(uintptr_t)at];
  own.looked.Add(stored);
  if (stores) stored.Add(own.fenced);
}

}  // namespace lathe_emulation
