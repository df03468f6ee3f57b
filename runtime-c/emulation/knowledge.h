// What threads know has happened: without it, that something did happen is luck. It is handed on at
// barriers of the block, exchanges of a warp and mbarriers.
#ifndef LATHE_TESTS_CUDA_EMULATION_KNOWLEDGE_H_
#define LATHE_TESTS_CUDA_EMULATION_KNOWLEDGE_H_

#include <stddef.h>
#include <stdint.h>

#include <array>

namespace lathe_emulation {

constexpr size_t kMostMbarriers = 32;
constexpr size_t kMostWarps = 32;

struct Known {
  std::array<uint32_t, kMostMbarriers> phases = {};  // that have ended, of each mbarrier
  std::array<uint32_t, kMostWarps> products = {};    // groups of them that are done, of each warp

  void Join(const Known& other);
};

// Of a thread of the block that runs.
Known& KnownBy(unsigned thread);

// The mbarrier's number in its block, and which of its phases goes on; it is one that this thread
// may use.
struct MbarrierPhase {
  size_t number = 0;
  uint32_t phase = 0;
};
MbarrierPhase PhaseOf(const void* mbarrier, bool by_accelerator = true);
// A thread arrives there, as so many; or one more has to in this phase.
void ArriveAt(size_t mbarrier, unsigned thread, int count);
void ExpectOneMore(size_t mbarrier);
// What a thread has copied itself arrives as one at that mbarrier, once all is there.
struct OwnCopy {
  void* to;
  size_t bytes;
  const void* from;  // what is to stand there
};
void ArriveWithCopies(const void* mbarrier, bool counted, const OwnCopy* copies, size_t count);
// Bytes that were to arrive there have.
void BytesArrive(size_t mbarrier, int64_t bytes);

// The copy that brought these 16 bytes of shared memory; they are counted.
uint64_t CopyOf(uintptr_t chunk);
// A warp multiplies what that copy brings: it is there, and this thread knows. Until that group of
// its products is done, nothing may take its place.
void ReadByProducts(uint64_t copy, unsigned warp, uint32_t group);

}  // namespace lathe_emulation

#endif  // LATHE_TESTS_CUDA_EMULATION_KNOWLEDGE_H_
