// Threads of one block that meet: each runs until it waits or ends, then the next, in the order of
// their indices. One that reaches a barrier waits for all that still run, one that has something to
// say to its warp for those of it that it names.
#ifndef LATHE_INTERP_KERNEL_THREAD_GROUP_H_
#define LATHE_INTERP_KERNEL_THREAD_GROUP_H_

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// A barrier that a program keeps in shared memory: a phase of it ends once all have arrived that
// are to, and all bytes have that are expected.
struct Mbarrier {
  int64_t arrivals = 0;  // of a phase
  int64_t missing = 0;   // of the phase that goes on
  int64_t bytes = 0;     // expected still; below 0 those that came before they were
  uint32_t phase = 0;
};

struct ThreadGroup {
  std::deque<Thread> threads;  // a deque, so that a running thread stays where it is
  std::map<uint32_t, std::shared_ptr<Storage>> shared;
  uint32_t extent[3] = {1, 1, 1};
  std::map<std::pair<const Storage*, uint64_t>, Mbarrier> mbarriers;  // by where they are
  uint64_t events = 0;  // what happened at them: while nothing does, who waits waits on
};

inline constexpr uint32_t kWarp = 32;  // threads of a warp

// One that no others came of.
bool IsThread(const Thread& t);
// Its number in its block, x fastest.
uint32_t RankOf(const ThreadGroup& g, const Thread& t);

// Runs what follows, up to the EndStep before instruction c, once for each value of `dst` from
// register a on, register b many, side by side; then goes on at c. d is the axis: 0 x, 1 y, 2 z.
const Instr* ForkStep(Thread& t, const Instr* i);

// Waits for the other threads; without any, goes on.
const Instr* BarrierStep(Thread& t, const Instr* i);

// Publishes registers b... (c of them, in the operands) and waits for the block.
const Instr* PublishStep(Thread& t, const Instr* i);
// The same, and waits for the lanes of its warp that register a names; kNone: for all of them.
const Instr* ExchangeStep(Thread& t, const Instr* i);

// dst <- what another thread of the warp published first; a is the lane operand, b the width, c the
// warp's size, d the kind.
enum class ShuffleKind : uint32_t { kIndex, kUp, kDown, kXor };
const Instr* ShuffleStep(Thread& t, const Instr* i);

// A reduction over what was published. The first step starts it; each next one loads what another
// thread published into registers operands b... (c of them) or goes to instruction a at the end.
// A thread counts when its indices on the axes in the mask d are this one's, and the value it
// published last is true.
const Instr* ReduceStartStep(Thread& t, const Instr* i);
const Instr* ReduceNextStep(Thread& t, const Instr* i);

// dst <- the index of this thread on axis a, or 0.
const Instr* ThreadIndexStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_THREAD_GROUP_H_
