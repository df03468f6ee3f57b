// Internal interfaces between the parts of the emulation.
#ifndef LATHE_EMULATION_EMULATION_H_
#define LATHE_EMULATION_EMULATION_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "cuda_runtime.h"

namespace lathe_emulation {

// Ends the program with a message: it did what is invalid on a GPU.
[[noreturn]] void Fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Runs all threads of a grid.
void RunGrid(const cudaLaunchConfig_t& config, const Work& work);

// The index of a thread in its block, x fastest.
unsigned ThreadNumber();

// Returns true if a kernel can access these bytes: they are in one allocation, of its GPU or of
// cudaMallocHost. Ends the program if they belong to another GPU.
bool IsGlobal(uintptr_t at, size_t bytes);
// Runs a host function of a stream; and checks that these bytes are of cudaMallocHost.
bool IsHostFunction();
bool IsOfHost(uintptr_t at, size_t bytes);

// Checks that a call that waits, or that allocates or frees memory, is permitted now.
cudaError_t MayWait();
// Runs all work that is enqueued in streams.
void AdvanceAll();

// Counters that order accesses: blocks through all launches, intervals between barriers of a block,
// intervals between exchanges of a warp.
struct Moment {
  uint32_t launch = 0;  // the first block of the launch
  uint32_t block = 0;
  uint32_t interval = 0;
  uint32_t exchanges = 0;  // those that order memory
  uint32_t meetings = 0;   // all exchanges
  uint32_t thread = 0;
};
Moment Now();
// A kernel is running.
bool IsRunning();
// Returns true for an address on the stack of the running fiber.
bool IsOnStack(uintptr_t at);
// Returns true for an address of a kernel parameter.
bool IsParameter(uintptr_t at);

// The dynamic shared memory of the launch, in bytes.
size_t SharedBytes();
// The base of shared memory addresses in instructions.
uintptr_t SharedWindow();

// Suspends the fiber until a phase of the mbarrier of that number and parity may have ended.
void AwaitPhase(size_t mbarrier, uint32_t parity);
bool PhaseHasEnded(size_t mbarrier, uint32_t parity);
bool LacksBytes(size_t mbarrier);
[[noreturn]] void FailAwaiting(unsigned thread, size_t mbarrier, uint32_t parity);
// These threads have synchronized with each other.
void Meet(const std::vector<unsigned>& threads);
// Completes a copy by the tensor memory accelerator, if one is in flight.
bool LandCopy();

// Starts or ends a block of so many threads: in mbarriers.cc, tensor_maps.cc and warpgroups.cc.
void BeginMbarriers(unsigned threads);
void BeginCopies();
void BeginGroups(unsigned threads);
void EndCopies();
void EndGroups();

// Whether concurrent accesses are permitted, within the block or anywhere.
enum class Strength : uint8_t { kNone, kBlock, kGpu };

// Checks a read or write of the running kernel, in races.cc. `notes`: by the thread itself; else by
// an asynchronous copy on its behalf.
void Access(uintptr_t at, size_t bytes, bool writes, bool notes = true,
            Strength strength = Strength::kNone);

// The kernel has changed memory that a thread may poll.
void NoteChange();
// The thread polled this value: if it did so the last time too, the others run first, and the
// result is true.
bool Look(uintptr_t at, uint64_t found);

// The clock of a thread, advanced at mbarriers and releases, from 1 on; 0 if there are none.
// Whether this thread knows that another one, of its block or of a previous one, has reached a
// clock.
uint32_t ClockOf(unsigned thread);
bool KnowsClock(unsigned thread, uint32_t clock);
bool KnowsBlock(uint32_t block, uint32_t interval, unsigned thread, uint32_t clock);
// For shared memory that an accelerator copied to: this thread has waited for the copy.
void CheckCopied(uintptr_t at, size_t bytes, bool writes);

// Starts or ends a copy to these bytes of shared memory; they must not be accessed in between.
void MarkCopy(uintptr_t at, size_t bytes, bool begins);

}  // namespace lathe_emulation

#endif  // LATHE_EMULATION_EMULATION_H_
