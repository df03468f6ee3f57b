// How far each thread of the block that runs is, and how far it knows others to be: what orders
// accesses where no barrier of the block does.
#ifndef LATHE_TESTS_CUDA_EMULATION_CLOCKS_H_
#define LATHE_TESTS_CUDA_EMULATION_CLOCKS_H_

#include <stdint.h>

#include <map>
#include <vector>

namespace lathe_emulation {

// Of a block: all that was done before that interval, and in it by each thread up to its clock.
struct BlockPast {
  uint32_t interval = 0;
  std::vector<uint32_t> clocks;
};
using Past = std::map<uint32_t, BlockPast>;  // by block
void Join(Past& past, const Past& other);

// What threads of a block know.
struct Seen {
  std::vector<uint32_t> clocks;  // of their own block's
  Past others;
};
void Join(Seen& seen, const Seen& other);

// A block of so many threads begins; its threads are counted from StartClocks() on.
void BeginClocks(unsigned threads);
void StartClocks();
bool ClocksRun();
// What this thread did so far, those who learn of it know.
void Tell(unsigned thread, Seen& to);
void Learn(unsigned thread, const Seen& from);
// The same for threads of other blocks.
Past TellOthers(unsigned thread);
void Learn(unsigned thread, const Past& from);
// They have waited for each other.
void LearnOfEachOther(const std::vector<unsigned>& threads);

}  // namespace lathe_emulation

#endif  // LATHE_TESTS_CUDA_EMULATION_CLOCKS_H_
