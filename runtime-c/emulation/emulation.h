// What the parts of the emulation know of each other.
#ifndef LATHE_TESTS_CUDA_EMULATION_EMULATION_H_
#define LATHE_TESTS_CUDA_EMULATION_EMULATION_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "cuda_runtime.h"

namespace lathe_emulation {

// Ends the program: it did what no GPU would do right.
[[noreturn]] void Fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Runs all threads of a grid.
void RunGrid(const cudaLaunchConfig_t& config, const Work& work);

// The number of a thread in its block, x fastest.
unsigned ThreadNumber();

// Whether a kernel can reach these bytes: they are its GPU's, or of cudaMallocHost, of one
// allocation. Ends the program where they are another GPU's.
bool IsGlobal(uintptr_t at, size_t bytes);
// A function that a stream calls on the host runs; and whether these bytes are of cudaMallocHost.
bool IsHostFunction();
bool IsOfHost(uintptr_t at, size_t bytes);

// Whether something that waits, or that changes what memory there is, may be called now.
cudaError_t MayWait();
// All that waits in streams happens.
void AdvanceAll();

// What orders accesses: blocks are counted through all launches, intervals between barriers in a
// block, intervals between exchanges in a warp.
struct Moment {
  uint32_t launch = 0;  // the first block of the launch
  uint32_t block = 0;
  uint32_t interval = 0;
  uint32_t exchanges = 0;  // that order what comes before and after
  uint32_t meetings = 0;   // those, and others
  uint32_t thread = 0;
};
Moment Now();
// A kernel runs.
bool IsRunning();
// An address of the fiber that runs.
bool IsOnStack(uintptr_t at);
// One of the kernel's parameters.
bool IsParameter(uintptr_t at);

// What the launch asked for of shared memory, in bytes.
size_t SharedBytes();
// What the addresses that instructions take count from.
uintptr_t SharedWindow();

// The fiber waits until a phase of the mbarrier of that number, of that parity, may have ended.
void AwaitPhase(size_t mbarrier, uint32_t parity);
bool PhaseHasEnded(size_t mbarrier, uint32_t parity);
bool LacksBytes(size_t mbarrier);
[[noreturn]] void FailAwaiting(unsigned thread, size_t mbarrier, uint32_t parity);
// These threads have waited for each other.
void Meet(const std::vector<unsigned>& threads);
// A copy by the tensor memory accelerator lands, if one is under way.
bool LandCopy();

// A block of so many threads begins, or ends: in mbarriers.cc, tensor_maps.cc and warpgroups.cc.
void BeginMbarriers(unsigned threads);
void BeginCopies();
void BeginGroups(unsigned threads);
void EndCopies();
void EndGroups();

// Whether an access is one that others may make at the same time, in the same block or anywhere.
enum class Strength : uint8_t { kNone, kBlock, kGpu };

// Of the kernel that runs, in races.cc: it reads or writes there. `notes`: the thread does it
// itself; else on its behalf, by a copy that may come later.
void Access(uintptr_t at, size_t bytes, bool writes, bool notes = true,
            Strength strength = Strength::kNone);

// The kernel has changed something that a thread may look for.
void NoteChange();
// The thread found that there: where it did so the last time, the others have their turns first,
// and the answer is true.
bool Look(uintptr_t at, uint64_t found);

// How far a thread is, counted by what it told others at mbarriers and by releases, from 1 on; 0
// where there are none. Whether this thread knows that another came so far, of its block or of one
// that ran before.
uint32_t ClockOf(unsigned thread);
bool KnowsClock(unsigned thread, uint32_t clock);
bool KnowsBlock(uint32_t block, uint32_t interval, unsigned thread, uint32_t clock);
// Of shared memory to which an accelerator copied: this thread has waited until that was there.
void CheckCopied(uintptr_t at, size_t bytes, bool writes);

// A copy to these bytes of shared memory begins, or ends; nothing may touch them in between.
void MarkCopy(uintptr_t at, size_t bytes, bool begins);

}  // namespace lathe_emulation

#endif  // LATHE_TESTS_CUDA_EMULATION_EMULATION_H_
