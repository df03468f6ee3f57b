// Implements vector clocks of threads, advanced when they publish (mbarriers and releases).
#include "clocks.h"

#include <algorithm>

#include "emulation.h"
#include "order.h"

namespace lathe_emulation {
namespace {

struct Clocks {
  std::vector<uint32_t> own;  // own clock of each thread; empty: nothing was published yet
  std::vector<Seen> seen;     // what each thread knows of the others
  unsigned threads = 0;
};
Clocks& AllClocks() {
  static Clocks clocks;
  return clocks;
}

}  // namespace

void Join(Past& past, const Past& other) {
  for (const auto& [block, theirs] : other) {
    BlockPast& ours = past[block];
    if (ours.interval < theirs.interval) {
      ours = theirs;
    } else if (ours.interval == theirs.interval) {
      Join(ours.clocks, theirs.clocks);
    }
  }
}

void Join(Seen& seen, const Seen& other) {
  Join(seen.clocks, other.clocks);
  Join(seen.others, other.others);
}

void BeginClocks(unsigned threads) {
  AllClocks() = {};
  AllClocks().threads = threads;
}

void StartClocks() {
  Clocks& clocks = AllClocks();
  if (!clocks.own.empty()) return;
  clocks.own.assign(clocks.threads, 1);
  clocks.seen.assign(clocks.threads, {std::vector<uint32_t>(clocks.threads, 0), {}});
}

bool ClocksRun() { return !AllClocks().own.empty(); }

void Tell(unsigned thread, Seen& to) {
  Clocks& clocks = AllClocks();
  clocks.seen[thread].clocks[thread] = clocks.own[thread]++;
  Join(to, clocks.seen[thread]);
}

void Learn(unsigned thread, const Seen& from) { Join(AllClocks().seen[thread], from); }

Past TellOthers(unsigned thread) {
  const Moment now = Now();
  Seen told;
  Tell(thread, told);
  told.others[now.block] = {now.interval, told.clocks};
  return told.others;
}

void Learn(unsigned thread, const Past& from) {
  Seen& seen = AllClocks().seen[thread];
  Past others = from;
  const auto own = others.find(Now().block);
  if (own != others.end()) {
    Join(seen.clocks, own->second.clocks);
    others.erase(own);
  }
  Join(seen.others, others);
}

void LearnOfEachOther(const std::vector<unsigned>& threads) {
  Seen all;
  for (unsigned thread : threads) Tell(thread, all);
  for (unsigned thread : threads) AllClocks().seen[thread] = all;
}

uint32_t ClockOf(unsigned thread) { return ClocksRun() ? AllClocks().own[thread] : 0; }

// Everything before the first clock is known to whoever has learned anything since.
bool KnowsClock(unsigned thread, uint32_t clock) {
  return ClocksRun() && AllClocks().seen[ThreadNumber()].clocks[thread] >= std::max(clock, 1u);
}

bool KnowsBlock(uint32_t block, uint32_t interval, unsigned thread, uint32_t clock) {
  if (!ClocksRun()) return false;
  const Past& others = AllClocks().seen[ThreadNumber()].others;
  const auto past = others.find(block);
  if (past == others.end() || past->second.interval < interval) return false;
  if (past->second.interval > interval) return true;
  const std::vector<uint32_t>& clocks = past->second.clocks;
  return thread < clocks.size() && clocks[thread] >= std::max(clock, 1u);
}

}  // namespace lathe_emulation
