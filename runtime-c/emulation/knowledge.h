// What threads know to have completed; without such knowledge a correct result is luck. It is
// propagated at block barriers, warp exchanges and mbarriers.
#ifndef LATHE_EMULATION_KNOWLEDGE_H_
#define LATHE_EMULATION_KNOWLEDGE_H_

#include <stddef.h>
#include <stdint.h>

#include <array>

namespace lathe_emulation {

constexpr size_t kMaxMbarriers = 32;
constexpr size_t kMaxWarps = 32;

struct Known {
  std::array<uint32_t, kMaxMbarriers> phases = {};  // completed phases of each mbarrier
  std::array<uint32_t, kMaxWarps> products = {};    // completed groups of products of each warp

  void Join(const Known& other);
};

// Of a thread of the running block.
Known& KnownBy(unsigned thread);

// The mbarrier's number in its block and its current phase. Checks that this thread may use it.
struct MbarrierPhase {
  size_t number = 0;
  uint32_t phase = 0;
};
MbarrierPhase PhaseOf(const void* mbarrier, bool by_accelerator = true);
// A thread arrives, several times at once; or the phase expects one more arrival.
void ArriveAt(size_t mbarrier, unsigned thread, int count);
void ExpectOneMore(size_t mbarrier);
// The copies of this thread arrive once at that mbarrier when all are complete.
struct OwnCopy {
  void* to;
  size_t bytes;
  const void* from;  // the expected contents
};
void ArriveWithCopies(const void* mbarrier, bool counted, const OwnCopy* copies, size_t count);
// Expected bytes have arrived.
void BytesArrive(size_t mbarrier, int64_t bytes);

// The copy that wrote these 16 bytes of shared memory; its readers are counted.
uint64_t CopyOf(uintptr_t chunk);
// A warp multiplies what that copy wrote: checks that it is complete and known to this thread.
// Until that group of products is complete, the bytes must not be overwritten.
void ReadByProducts(uint64_t copy, unsigned warp, uint32_t group);

}  // namespace lathe_emulation

#endif  // LATHE_EMULATION_KNOWLEDGE_H_
