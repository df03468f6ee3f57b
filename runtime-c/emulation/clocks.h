// Vector clocks: how far each thread of the running block is, and how far it knows others to be.
// They order accesses that no block barrier orders.
#ifndef LATHE_EMULATION_CLOCKS_H_
#define LATHE_EMULATION_CLOCKS_H_

#include <stdint.h>

#include <map>
#include <vector>

namespace lathe_emulation {

// Of a block: everything before that interval, and within it each thread up to its clock.
struct BlockPast {
  uint32_t interval = 0;
  std::vector<uint32_t> clocks;
};
using Past = std::map<uint32_t, BlockPast>;  // by block
void Join(Past& past, const Past& other);

// What threads of a block know.
struct Seen {
  std::vector<uint32_t> clocks;  // of their own block
  Past others;
};
void Join(Seen& seen, const Seen& other);

// Starts a block of so many threads; threads have clocks from StartClocks() on.
void BeginClocks(unsigned threads);
void StartClocks();
bool ClocksRun();
// What this thread has done so far, for threads that synchronize with it.
void Tell(unsigned thread, Seen& to);
void Learn(unsigned thread, const Seen& from);
// The same for threads of other blocks.
Past TellOthers(unsigned thread);
void Learn(unsigned thread, const Past& from);
// These threads have synchronized with each other.
void LearnOfEachOther(const std::vector<unsigned>& threads);

}  // namespace lathe_emulation

#endif  // LATHE_EMULATION_CLOCKS_H_
