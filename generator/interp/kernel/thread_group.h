// Schedules the threads of one block that synchronize. One thread runs at a time, until it waits or
// ends; then the next one runs, in the order of their creation. At a barrier, a thread waits for
// all threads of the block that have not ended. At an exchange, it waits for the lanes of its warp
// that are in its mask.
#ifndef LATHE_INTERP_KERNEL_THREAD_GROUP_H_
#define LATHE_INTERP_KERNEL_THREAD_GROUP_H_

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// An mbarrier. A phase ends when all arrivals and all expected bytes have come.
struct Mbarrier {
  int64_t arrivals = 0;  // per phase
  int64_t missing = 0;   // arrivals that the current phase still needs
  int64_t bytes = 0;     // still expected; negative: bytes that came before they were expected
  uint32_t phase = 0;
};

struct ThreadGroup {
  std::deque<Thread> threads;  // a deque, so that running threads do not move
  std::map<uint32_t, std::shared_ptr<Storage>> shared;
  uint32_t extent[3] = {1, 1, 1};
  std::map<std::pair<const Storage*, uint64_t>, Mbarrier> mbarriers;  // by address
  uint64_t events = 0;  // arrivals, copies and ended waits so far
};

inline constexpr uint32_t kWarp = 32;  // threads of a warp

// Returns true for a thread without child threads.
bool IsThread(const Thread& t);
// Returns the index of the thread in its block, x fastest.
uint32_t RankOf(const ThreadGroup& g, const Thread& t);

// Runs the code up to the EndStep before instruction c in register b concurrent threads, with `dst`
// counting from register a; then continues at c. d is the axis: 0 x, 1 y, 2 z.
const Instr* ForkStep(Thread& t, const Instr* i);

// Waits for the other threads; continues when there are none.
const Instr* BarrierStep(Thread& t, const Instr* i);

// Publishes the values of registers operands b... (c of them) and waits for the block.
const Instr* PublishStep(Thread& t, const Instr* i);
// The same, but waits for the lanes of its warp in mask register a; kNone: for all lanes.
const Instr* ExchangeStep(Thread& t, const Instr* i);

// dst <- the first value that the selected lane of the warp published, or this thread's own if the
// lane is outside its segment. a is the lane operand, b the width of a segment, c the size of the
// warp, d the kind.
enum class ShuffleKind : uint32_t { kIndex, kUp, kDown, kXor };
const Instr* ShuffleStep(Thread& t, const Instr* i);

// Reduces published values. The first step starts the reduction. Each next step loads the values
// that the next thread published, this one included, into registers operands b... (c of them), or
// jumps to instruction a at the end. A thread takes part when its indices on the axes in mask d
// equal this thread's, and the last value that it published is true.
const Instr* ReduceStartStep(Thread& t, const Instr* i);
const Instr* ReduceNextStep(Thread& t, const Instr* i);

// dst <- the index of this thread on axis a; 0 if no loop forked on the axis.
const Instr* ThreadIndexStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_THREAD_GROUP_H_
