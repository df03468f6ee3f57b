#include "generator/interp/kernel/warp_steps.h"

#include <algorithm>
#include <bit>

#include "generator/interp/kernel/thread_group.h"

namespace lathe::interp {
namespace {

uint32_t Rank(const Thread& t) { return t.group == nullptr ? 0 : RankOf(*t.group, t); }

// Calls visit(thread, lane) for each thread of the warp, or only for `t` outside of a group.
template <typename F>
void ForEachOfWarp(const Thread& t, const F& visit) {
  if (t.group == nullptr) {
    visit(t, uint32_t{0});
    return;
  }
  const uint32_t warp = Rank(t) / kWarp;
  for (const Thread& other : t.group->threads) {
    if (!IsThread(other)) continue;
    const uint32_t rank = RankOf(*t.group, other);
    if (rank / kWarp == warp) visit(other, rank % kWarp);
  }
}

}  // namespace

const Instr* BallotStep(Thread& t, const Instr* i) {
  const uint32_t mask = static_cast<uint32_t>(t.regs[i->a]);
  uint32_t ballot = 0;
  ForEachOfWarp(t, [&](const Thread& other, uint32_t lane) {
    const bool counts = (mask >> lane & 1) != 0 && !other.snapshot.empty();
    if (counts && other.snapshot[0] != 0) ballot |= uint32_t{1} << lane;
  });
  t.regs[i->dst] = ballot;
  return i + 1;
}

const Instr* NextOfGroupStep(Thread& t, const Instr* i) {
  const size_t count = t.group == nullptr ? 1 : t.group->threads.size();
  const uint32_t own = Rank(t);
  const uint32_t mask = i->b == kNone ? ~uint32_t{0} : static_cast<uint32_t>(t.regs[i->b]);
  const int64_t wanted = i->c == kNone ? 0 : static_cast<int64_t>(t.regs[i->c]);
  const uint32_t width = static_cast<uint32_t>(std::clamp<int64_t>(wanted, 1, kWarp));
  while (t.cursor < count) {
    const Thread& other = t.group == nullptr ? t : t.group->threads[t.cursor];
    ++t.cursor;
    if (other.snapshot.empty() || (t.group != nullptr && !IsThread(other))) continue;
    const uint32_t rank = Rank(other);
    if (i->c != kNone && (rank / kWarp != own / kWarp || rank / width != own / width)) continue;
    if ((mask >> rank % kWarp & 1) == 0) continue;
    t.regs[i->dst] = other.snapshot[0];
    return i + 1;
  }
  return t.machine->code->instrs.data() + i->a;
}

const Instr* RankStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = Rank(t);
  return i + 1;
}

const Instr* ThreadExtentStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = t.group == nullptr ? 1 : t.group->extent[i->a];
  return i + 1;
}

const Instr* LanesStep(Thread& t, const Instr* i) {
  uint32_t lanes = 0;
  ForEachOfWarp(t, [&](const Thread&, uint32_t lane) { lanes |= uint32_t{1} << lane; });
  t.regs[i->dst] = lanes;
  return i + 1;
}

const Instr* FirstBitStep(Thread& t, const Instr* i) {
  const uint32_t bits = static_cast<uint32_t>(t.regs[i->a]);
  t.regs[i->dst] = bits == 0 ? 0 : static_cast<Bits>(std::countr_zero(bits) + 1);
  return i + 1;
}

}  // namespace lathe::interp
