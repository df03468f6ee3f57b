// Checks every memory access of kernels: out of bounds, or in a race with another thread.
//
// Kernels are compiled with -fsanitize=thread, which inserts a call before each access, and linked
// with this file in place of the sanitizer's runtime.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "emulation.h"
#include "order.h"

extern "C" char __executable_start, _end;

namespace lathe_emulation {
namespace {

constexpr uint32_t kSeveral = 0xffffffffu;
constexpr uint32_t kWarpThreads = 32;

struct LastTouch {
  uint32_t block = 0;  // 0: none yet
  uint32_t interval = 0;
  uint32_t thread = 0;  // or several
  uint32_t warp = 0;    // or several
  uint32_t exchanges = 0;
  uint32_t clock = 0;  // of mbarriers and releases
  Strength strength = Strength::kNone;
};

// Of a byte: the last write, and the reads since.
struct TouchedCell {
  LastTouch write, read;
  uint32_t copying = 0;  // the block of a copy to it that is in flight
};
constexpr uintptr_t kTouchedPage = 64;
using TouchedPage = std::array<TouchedCell, kTouchedPage>;

TouchedCell& CellAt(uintptr_t at) {
  static std::unordered_map<uintptr_t, TouchedPage> pages;
  static uintptr_t last_number = 0;
  static TouchedPage* last = nullptr;
  const uintptr_t number = at / kTouchedPage;
  if (last == nullptr || number != last_number) {
    last = &pages[number];  // its address is stable
    last_number = number;
  }
  return (*last)[at % kTouchedPage];
}

// Returns true if the previous and the current access are unordered and not both atomic.
bool Meets(const LastTouch& before, const Moment& now, bool is_global, Strength strength) {
  if (before.block == 0) return false;
  const Strength both = std::min(before.strength, strength);
  if (before.block != now.block) {
    return is_global && before.block >= now.launch && both != Strength::kGpu &&
           !KnowsBlock(before.block, before.interval, before.thread, before.clock);
  }
  if (both != Strength::kNone) return false;
  if (before.interval != now.interval || before.thread == now.thread) return false;
  if (before.thread != kSeveral && KnowsClock(before.thread, before.clock)) return false;
  const bool same_warp = before.warp == now.thread / kWarpThreads;
  return !(same_warp && before.exchanges < now.exchanges);
}

void Note(LastTouch& touch, const Moment& now, bool joins, Strength strength) {
  const uint32_t warp = now.thread / kWarpThreads;
  const bool with = joins && touch.block == now.block && touch.interval == now.interval;
  touch.thread = with && touch.thread != now.thread ? kSeveral : now.thread;
  touch.warp = with && touch.warp != warp ? kSeveral : warp;
  touch.block = now.block;
  touch.interval = now.interval;
  touch.exchanges = now.exchanges;
  touch.clock = ClockOf(now.thread);
  touch.strength = with ? std::min(touch.strength, strength) : strength;
}

// If mbarriers order threads: the individual readers of a byte, in the running block.
std::vector<LastTouch>& ReadersOf(uintptr_t at) {
  static std::unordered_map<uintptr_t, std::vector<LastTouch>> readers;
  static uint32_t block = 0;
  if (block != Now().block) readers.clear();
  block = Now().block;
  return readers[at];
}

void AddReader(uintptr_t at, const Moment& now, Strength strength) {
  std::vector<LastTouch>& readers = ReadersOf(at);
  for (LastTouch& reader : readers) {
    if (reader.thread == now.thread) return Note(reader, now, false, strength);
  }
  readers.emplace_back();
  Note(readers.back(), now, false, strength);
}

// Returns true if a write conflicts with recorded reads.
bool MeetsReads(const TouchedCell& cell, uintptr_t at, const Moment& now, bool is_global,
                Strength strength) {
  if (!Meets(cell.read, now, is_global, strength)) return false;
  if (is_global || cell.read.block != now.block || ClockOf(now.thread) == 0) return true;
  for (const LastTouch& reader : ReadersOf(at)) {
    if (Meets(reader, now, false, strength)) return true;
  }
  return ReadersOf(at).empty();
}

[[noreturn]] void Race(const char* what, uintptr_t at, const LastTouch& before, const Moment& now,
                       bool is_global) {
  const char* memory = is_global ? "the GPU's" : "shared";
  if (before.block != now.block) {
    Fail(
        "race: thread %u of block %u %s %s memory at %p, which a thread of another block of the "
        "same launch accessed",
        now.thread, now.block - now.launch, what, memory, (void*)at);
  }
  if (before.thread == kSeveral) {
    Fail(
        "race: thread %u of block %u %s %s memory at %p, which several others read since the last "
        "barrier",
        now.thread, now.block - now.launch, what, memory, (void*)at);
  }
  Fail(
      "race: threads %u and %u of block %u access %p in %s memory without a barrier in between: "
      "one %s it",
      before.thread, now.thread, now.block - now.launch, (void*)at, memory, what);
}

}  // namespace

void Access(uintptr_t at, size_t bytes, bool writes, bool notes, Strength strength) {
  if (IsHostFunction() && IsOfHost(at, bytes)) NoteAccess(at, bytes, writes);
  if (!IsRunning() || IsOnStack(at)) return;
  const uintptr_t own = (uintptr_t)&here;
  if (at >= own && at < own + sizeof here) return;
  if (!writes && IsParameter(at)) return;
  if (writes) NoteChange();
  const bool is_global = IsGlobal(at, bytes);
  // Static variables are shared memory or constants.
  if (!is_global && (at < (uintptr_t)&__executable_start || at >= (uintptr_t)&_end)) {
    Fail("thread %u of block (%u, %u, %u) %s %zu bytes at %p, which is not in memory of the GPU",
         Now().thread, here.block.x, here.block.y, here.block.z, writes ? "writes" : "reads", bytes,
         (void*)at);
  }
  if (is_global) NoteAccess(at, bytes, writes);
  const Moment now = Now();
  if (!is_global && notes) CheckCopied(at, bytes, writes);
  for (size_t i = 0; i < bytes; ++i) {
    TouchedCell& cell = CellAt(at + i);
    if (cell.copying == now.block) {
      Fail(
          "thread %u of block %u %s shared memory at %p, where a copy is incomplete: it was not "
          "waited for",
          now.thread, now.block - now.launch, writes ? "writes" : "reads", (void*)(at + i));
    }
    if (Meets(cell.write, now, is_global, strength)) {
      Race(writes ? "writes" : "reads", at + i, cell.write, now, is_global);
    }
    if (writes) {
      if (MeetsReads(cell, at + i, now, is_global, strength)) {
        Race("writes", at + i, cell.read, now, is_global);
      }
      if (!notes) continue;
      if (!is_global && ClockOf(now.thread) != 0) ReadersOf(at + i).clear();
      Note(cell.write, now, false, strength);
      continue;
    }
    if (!is_global && cell.write.block != 0 && cell.write.block != now.block) {
      Fail("thread %u of block %u reads shared memory at %p that another block left", now.thread,
           now.block - now.launch, (void*)(at + i));
    }
    if (!notes) continue;
    Note(cell.read, now, true, strength);
    if (!is_global && ClockOf(now.thread) != 0) AddReader(at + i, now, strength);
  }
}

void MarkCopy(uintptr_t at, size_t bytes, bool begins) {
  const uint32_t block = begins ? Now().block : 0;
  for (size_t i = 0; i < bytes; ++i) CellAt(at + i).copying = block;
}

}  // namespace lathe_emulation

extern "C" {

#define LATHE_SEE(size)                                                                     \
  void __tsan_read##size(void* at) { lathe_emulation::Access((uintptr_t)at, size, false); } \
  void __tsan_write##size(void* at) { lathe_emulation::Access((uintptr_t)at, size, true); } \
  void __tsan_unaligned_read##size(void* at) {                                              \
    lathe_emulation::Access((uintptr_t)at, size, false);                                    \
  }                                                                                         \
  void __tsan_unaligned_write##size(void* at) {                                             \
    lathe_emulation::Access((uintptr_t)at, size, true);                                     \
  }                                                                                         \
  void __tsan_volatile_read##size(void* at) {                                               \
    lathe_emulation::Access((uintptr_t)at, size, false);                                    \
  }                                                                                         \
  void __tsan_volatile_write##size(void* at) { lathe_emulation::Access((uintptr_t)at, size, true); }
LATHE_SEE(1)
LATHE_SEE(2)
LATHE_SEE(4)
LATHE_SEE(8)
LATHE_SEE(16)

void __tsan_read_range(void* at, size_t bytes) {
  lathe_emulation::Access((uintptr_t)at, bytes, false);
}
void __tsan_write_range(void* at, size_t bytes) {
  lathe_emulation::Access((uintptr_t)at, bytes, true);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}

}  // extern "C"
